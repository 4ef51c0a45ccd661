-- Become a member by a share link; a member with more rights keeps them. No row when the link is unknown or expired.
WITH link AS (
    SELECT room, rights FROM share_link
    WHERE token_hash = %(token_hash)s AND (expires_at IS NULL OR expires_at > now())
), joined AS (
    INSERT INTO room_member AS m (room, account_id, rights)
    SELECT link.room, %(account_id)s, link.rights FROM link JOIN room ON room.name = link.room
    WHERE room.owner_id IS DISTINCT FROM %(account_id)s
    ON CONFLICT (room, account_id) DO UPDATE SET rights = 'write' WHERE m.rights = 'read' AND excluded.rights = 'write'
    RETURNING m.room
)
SELECT link.room, EXISTS (SELECT FROM joined) FROM link
