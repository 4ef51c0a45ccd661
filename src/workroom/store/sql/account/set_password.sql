-- Set a new password and revoke all tokens, if the old password is still the one that was verified.
UPDATE account SET password_hash = %(new_hash)s, token_epoch = token_epoch + 1
WHERE id = %(id)s AND password_hash = %(old_hash)s AND disabled_at IS NULL
RETURNING id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at
