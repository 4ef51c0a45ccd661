-- Set the role of an account, disable or enable it, and revoke its tokens if requested.
UPDATE account SET
    role = %(role)s,
    disabled_at = CASE WHEN %(disabled)s THEN coalesce(disabled_at, now()) END,
    token_epoch = token_epoch + (%(revoke)s::boolean)::integer
WHERE id = %(id)s
RETURNING id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at
