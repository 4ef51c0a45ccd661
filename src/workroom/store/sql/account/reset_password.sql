-- A new password, whatever the old one was; earlier tokens end.
UPDATE account SET password_hash = %(new_hash)s, token_epoch = token_epoch + 1 WHERE id = %(id)s
RETURNING id, name, role, disabled_at IS NOT NULL, password_hash IS NOT NULL, created_at
