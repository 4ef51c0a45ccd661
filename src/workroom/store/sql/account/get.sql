-- One account.
SELECT id, name, role, disabled_at IS NOT NULL, password_hash IS NOT NULL, created_at FROM account WHERE id = %(id)s
