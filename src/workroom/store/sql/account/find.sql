-- The account with this name, in any case.
SELECT id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at FROM account
WHERE lower(name) = lower(%(name)s)
