-- A page of the rooms an account may see, with what is in them; all rooms for an admin. Sorted by name, or by one of the counts
-- or times, the largest first. The total is there even for an empty page.
WITH found AS MATERIALIZED (
    SELECT room.name, room.description, room.visibility, room.locked, room.owner_id, owner.name AS owner, room.created_at,
           room.updated_at, coalesce(room.owner_id = reader.id, false) AS owned, room_member.rights, room.extensions_from,
           room.archived, coalesce(room_data.length, 0) AS frames, coalesce(room_data.bytes, 0) AS bytes,
           greatest(room.updated_at, last_change.at) AS changed_at, (first_frame.keys #>> '{arrays.numbers,shape,0}')::integer AS atoms,
           thumbnail.updated_at AS thumbnail_at
    FROM room
    CROSS JOIN (SELECT %(account_id)s::uuid AS id) AS reader
    LEFT JOIN account AS owner ON owner.id = room.owner_id
    LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = reader.id
    LEFT JOIN room_data ON room_data.room = room.number
    LEFT JOIN room_thumbnail AS thumbnail ON thumbnail.room = room.number
    LEFT JOIN LATERAL (
        SELECT change.at FROM change WHERE change.room = room.number ORDER BY change.revision DESC LIMIT 1
    ) AS last_change ON true
    LEFT JOIN LATERAL (
        SELECT frame_layout.keys FROM room_frame
        JOIN frame ON frame.id = room_frame.frame_id JOIN frame_layout ON frame_layout.id = frame.layout_id
        WHERE room_frame.room = room.number AND room_frame.position = 0
    ) AS first_frame ON true
    WHERE (%(all)s::boolean OR
           --< fragments/may_read_room
           )
      AND strpos(lower(room.name || E'\n' || room.description), lower(%(search)s::text)) > 0
      AND (%(archived)s::boolean IS NULL OR room.archived = %(archived)s::boolean)
), sorted AS (
    SELECT found.*, row_number() OVER (ORDER BY
        CASE %(sort)s::text WHEN 'frames' THEN found.frames WHEN 'bytes' THEN found.bytes
                            WHEN 'changed' THEN extract(epoch FROM found.changed_at) END DESC NULLS LAST, found.name) AS place
    FROM found
)
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) AS counted
LEFT JOIN (SELECT * FROM sorted ORDER BY place LIMIT %(limit)s OFFSET %(offset)s) AS page ON true
ORDER BY page.place
