-- Condition: the account `reader` may read `room`. Admins may read all rooms, which the statements decide themselves.
(room.visibility = 'public' OR room.owner_id = reader.id OR EXISTS (
    SELECT FROM room_member WHERE room_member.room = room.name AND room_member.account_id = reader.id))
