-- The frames at these positions, in this order, how large each is, and as of which revision; null where there is none.
SELECT room_data.revision, found.ids, found.sizes
FROM room_data
LEFT JOIN LATERAL (
    SELECT array_agg(here.frame_id) AS ids, array_agg(octet_length(frame.body)) AS sizes
    FROM (
        SELECT room_frame.frame_id
        FROM unnest(%(positions)s::integer[]) WITH ORDINALITY AS wanted (position, place)
        LEFT JOIN room_frame ON room_frame.room = room_data.room AND room_frame.position = wanted.position
        ORDER BY wanted.place
    ) AS here
    LEFT JOIN frame ON frame.id = here.frame_id
) AS found ON true
WHERE room_data.room = %(room)s
