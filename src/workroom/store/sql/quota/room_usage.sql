-- What a room uses of each quota, its owner, and the limits that an admin has set for it.
SELECT room.name, room.owner_id, room_data.bytes, room_data.length::bigint,
       (SELECT coalesce(jsonb_object_agg(quota.name, quota.value), '{}') FROM quota WHERE quota.room = room.name)
FROM room JOIN room_data ON room_data.room = room.number
WHERE room.name = %(room)s
