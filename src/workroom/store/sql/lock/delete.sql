-- Delete the locks on these targets of a room.
DELETE FROM room_lock WHERE room = %(room)s AND target = ANY (%(targets)s::text[]) RETURNING target
