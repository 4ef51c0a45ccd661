-- Create an account.
INSERT INTO account (id, name, role, password_hash) VALUES (%(id)s, %(name)s, %(role)s, %(password_hash)s)
RETURNING id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at
