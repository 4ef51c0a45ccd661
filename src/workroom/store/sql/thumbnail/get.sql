-- The thumbnail of a room.
SELECT thumbnail.media_type, thumbnail.image, thumbnail.updated_at
FROM room_thumbnail AS thumbnail
JOIN room ON room.number = thumbnail.room
WHERE room.name = %(room)s
