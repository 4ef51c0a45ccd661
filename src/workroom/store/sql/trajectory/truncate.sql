-- Delete the positions from `length` on.
DELETE FROM room_frame WHERE room = %(room)s AND position >= %(length)s
