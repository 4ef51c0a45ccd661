-- The live remote workers of an account.
SELECT id FROM worker WHERE kind = 'remote' AND ended_at IS NULL AND account_id = %(account_id)s ORDER BY id
