-- A page of rooms with the space they take, the largest first. The total is there even for an empty page.
WITH found AS MATERIALIZED (
    SELECT room.name, owner.name AS owner, room_data.bytes, room_data.length::bigint AS frames
    FROM room
    JOIN room_data ON room_data.room = room.number
    LEFT JOIN account AS owner ON owner.id = room.owner_id
)
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) AS counted
LEFT JOIN (SELECT * FROM found ORDER BY bytes DESC, name LIMIT %(limit)s OFFSET %(offset)s) AS page ON true
ORDER BY page.bytes DESC, page.name
