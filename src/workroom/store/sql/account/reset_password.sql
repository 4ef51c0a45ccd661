-- Set a new password and revoke all tokens.
UPDATE account SET password_hash = %(new_hash)s, token_epoch = token_epoch + 1 WHERE id = %(id)s
RETURNING id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at
