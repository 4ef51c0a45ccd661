-- The ids and sizes of the frames at these positions, in this order, and the revision; null where there is no frame. Looked
-- up row by row, for the reason given in read_span.
SELECT room_data.revision, found.ids, found.sizes
FROM room_data
LEFT JOIN LATERAL (
    SELECT array_agg(here.frame_id ORDER BY here.place) AS ids,
           array_agg((SELECT octet_length(frame.body) FROM frame WHERE frame.id = here.frame_id)
                     ORDER BY here.place) AS sizes
    FROM (
        SELECT wanted.place,
               (SELECT room_frame.frame_id FROM room_frame
                WHERE room_frame.room = room_data.room AND room_frame.position = wanted.position) AS frame_id
        FROM unnest(%(positions)s::integer[]) WITH ORDINALITY AS wanted (position, place)
        OFFSET 0
    ) AS here
) AS found ON true
WHERE room_data.room = %(room)s
