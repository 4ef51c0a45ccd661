-- Remove the name, password, rooms and memberships of an account that jobs refer to. Upkeep deletes the row after them.
WITH rooms AS (
    UPDATE room SET owner_id = NULL WHERE owner_id = %(id)s
), memberships AS (
    DELETE FROM room_member WHERE account_id = %(id)s
)
UPDATE account SET
    name = 'deleted-' || right(id::text, 12),
    role = 'guest',
    password_hash = NULL,
    guest_key_hash = NULL,
    issuer = NULL,
    subject = NULL,
    token_epoch = token_epoch + 1,
    seen_at = now(),
    disabled_at = now()
WHERE id = %(id)s
RETURNING id
