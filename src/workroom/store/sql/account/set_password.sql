-- A new password, provided the old one is still the one that was checked; earlier tokens end.
UPDATE account SET password_hash = %(new_hash)s, token_epoch = token_epoch + 1
WHERE id = %(id)s AND password_hash = %(old_hash)s AND disabled_at IS NULL
RETURNING id, name, role, disabled_at IS NOT NULL, password_hash IS NOT NULL, created_at
