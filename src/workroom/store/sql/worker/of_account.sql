-- The live workers of an account.
SELECT id FROM worker WHERE ended_at IS NULL AND account_id = %(account_id)s ORDER BY id
