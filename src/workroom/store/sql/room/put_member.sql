-- Add a member or change their rights. No row for the creator, who always owns the room.
INSERT INTO room_member AS m (room, account_id, rights)
SELECT room.name, %(account_id)s, %(rights)s FROM room WHERE room.name = %(room)s AND room.owner_id IS DISTINCT FROM %(account_id)s
ON CONFLICT (room, account_id) DO UPDATE SET rights = excluded.rights
RETURNING added_at
