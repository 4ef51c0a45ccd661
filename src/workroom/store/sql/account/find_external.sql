-- The account of an identity at a provider.
SELECT id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at FROM account
WHERE issuer = %(issuer)s AND subject = %(subject)s
