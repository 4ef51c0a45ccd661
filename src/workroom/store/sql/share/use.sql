-- Become a member by a share link; a member with more rights keeps them. No row when the link is unknown or expired. A link that
-- existed when an owner removed the account is refused.
WITH link AS (
    SELECT share_link.room, share_link.rights, EXISTS (
        SELECT FROM removed_member
        WHERE removed_member.room = share_link.room AND removed_member.account_id = %(account_id)s
          AND removed_member.removed_at >= share_link.created_at) AS refused
    FROM share_link
    WHERE token_hash = %(token_hash)s AND (expires_at IS NULL OR expires_at > now())
), joined AS (
    INSERT INTO room_member AS m (room, account_id, rights)
    SELECT link.room, %(account_id)s, link.rights FROM link JOIN room ON room.name = link.room
    WHERE room.owner_id IS DISTINCT FROM %(account_id)s AND NOT link.refused
    ON CONFLICT (room, account_id) DO UPDATE SET rights = 'write' WHERE m.rights = 'read' AND excluded.rights = 'write'
    RETURNING m.room
)
SELECT link.room, EXISTS (SELECT FROM joined), link.refused FROM link
