-- One account, locked until the transaction ends.
SELECT id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at FROM account
WHERE id = %(id)s FOR NO KEY UPDATE
