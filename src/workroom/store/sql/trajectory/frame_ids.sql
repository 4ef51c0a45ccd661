-- The ids of the frames in a range of positions.
SELECT ARRAY(
    SELECT frame_id FROM room_frame
    WHERE room = %(room)s AND position >= %(start)s AND position < %(stop)s
    ORDER BY position)
