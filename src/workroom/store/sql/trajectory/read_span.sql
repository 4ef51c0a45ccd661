-- The ids and sizes of the frames in a range of positions, and the revision. The size is looked up row by row: a join that
-- was planned while the tables were small would be slow later.
SELECT room_data.revision, found.ids, found.sizes
FROM room_data
LEFT JOIN LATERAL (
    SELECT array_agg(here.frame_id ORDER BY here.position) AS ids, array_agg(here.size ORDER BY here.position) AS sizes
    FROM (
        SELECT room_frame.position, room_frame.frame_id,
               (SELECT octet_length(frame.body) FROM frame WHERE frame.id = room_frame.frame_id) AS size
        FROM room_frame
        WHERE room_frame.room = room_data.room AND room_frame.position >= %(start)s AND room_frame.position < %(stop)s
    ) AS here
) AS found ON true
WHERE room_data.room = %(room)s
