-- The frames from one position up to another.
SELECT ARRAY(
    SELECT frame_id FROM room_frame
    WHERE room = %(room)s AND position >= %(start)s AND position < %(stop)s
    ORDER BY position)
