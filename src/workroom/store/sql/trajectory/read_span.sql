-- The frames from one position up to another, how large each is, and as of which revision.
SELECT room_data.revision, found.ids, found.sizes
FROM room_data
LEFT JOIN LATERAL (
    SELECT array_agg(here.frame_id) AS ids, array_agg(octet_length(frame.body)) AS sizes
    FROM (
        SELECT room_frame.frame_id FROM room_frame
        WHERE room_frame.room = room_data.room AND room_frame.position >= %(start)s AND room_frame.position < %(stop)s
        ORDER BY room_frame.position
    ) AS here
    LEFT JOIN frame ON frame.id = here.frame_id
) AS found ON true
WHERE room_data.room = %(room)s
