-- The number of atoms of the frame that viewers show; if it is smaller than asked for, that of the largest frame.
WITH shown AS (
    SELECT (frame_layout.keys -> 'arrays.numbers' -> 'shape' ->> 0)::integer AS atoms
    FROM room_frame
    JOIN frame ON frame.id = room_frame.frame_id
    JOIN frame_layout ON frame_layout.id = frame.layout_id
    WHERE room_frame.room = %(room)s AND room_frame.position = %(step)s
)
SELECT coalesce(
    (SELECT atoms FROM shown WHERE atoms >= %(least)s),
    (SELECT max((frame_layout.keys -> 'arrays.numbers' -> 'shape' ->> 0)::integer)
     FROM frame_layout
     WHERE frame_layout.id IN (SELECT frame.layout_id FROM room_frame
                               JOIN frame ON frame.id = room_frame.frame_id
                               WHERE room_frame.room = %(room)s)),
    0)
