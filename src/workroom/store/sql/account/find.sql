-- The account of this name, in whatever case.
SELECT id, name, role, disabled_at IS NOT NULL, password_hash IS NOT NULL, created_at FROM account
WHERE lower(name) = lower(%(name)s)
