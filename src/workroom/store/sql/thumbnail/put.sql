-- Set the thumbnail of a room. Returns nothing if the room does not exist.
INSERT INTO room_thumbnail AS thumbnail (room, media_type, image)
SELECT room.number, %(media_type)s, %(image)s FROM room WHERE room.name = %(room)s
ON CONFLICT (room) DO UPDATE SET media_type = excluded.media_type, image = excluded.image, updated_at = now()
RETURNING true
