-- The room, if the cached access of the submitter (AccessSnapshot) still equals the current rows; any room without one. No row makes
-- the server authorise again: the rights to submit are decided in `domain/rooms`, and only lists filter by rights in SQL.
SELECT FROM room
WHERE name = %(room)s AND (%(epoch)s::integer IS NULL OR EXISTS (
    SELECT FROM account
    LEFT JOIN room_member AS member ON member.room = room.name AND member.account_id = account.id
    WHERE account.id = %(submitter)s AND account.token_epoch = %(epoch)s AND account.disabled_at IS NULL
      AND account.role = %(role)s AND room.visibility = %(visibility)s AND room.locked = %(locked)s
      AND (room.owner_id = account.id) IS NOT DISTINCT FROM %(owned)s::boolean
      AND member.rights IS NOT DISTINCT FROM %(member_rights)s::text))
