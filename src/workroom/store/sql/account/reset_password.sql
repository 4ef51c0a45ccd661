-- Set a new password and revoke all tokens.
UPDATE account SET password_hash = %(new_hash)s, token_epoch = token_epoch + 1 WHERE id = %(id)s
RETURNING id, name, role, disabled_at IS NOT NULL, password_hash IS NOT NULL, created_at
