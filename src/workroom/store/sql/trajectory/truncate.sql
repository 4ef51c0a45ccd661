-- Cut the end off.
DELETE FROM room_frame WHERE room = %(room)s AND position >= %(length)s
