-- Those of these pairs of an account and a room whose account may read the room.
SELECT reader.id, room.name
FROM unnest(%(accounts)s::uuid[], %(rooms)s::text[]) AS asked (account_id, room)
JOIN room ON room.name = asked.room
JOIN account AS reader ON reader.id = asked.account_id
WHERE reader.role = 'admin' OR
    --< fragments/may_read_room
