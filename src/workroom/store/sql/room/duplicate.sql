-- Copy a room: description, visibility, who may offer extensions, trajectory (the frames are shared), items and thumbnail. The copy belongs to the given owner.
WITH source AS (
    SELECT room.number, room.description, room.visibility, room.extensions_from, room_data.length, room_data.step, room_data.revision, room_data.bytes
    FROM room
    JOIN room_data ON room_data.room = room.number
    WHERE room.name = %(source)s
), made AS (
    INSERT INTO room (name, owner_id, description, visibility, extensions_from)
    SELECT %(name)s, %(owner_id)s, source.description, source.visibility, source.extensions_from FROM source
    RETURNING number
), trajectory AS (
    INSERT INTO room_frame (room, position, frame_id)
    SELECT made.number, room_frame.position, room_frame.frame_id
    FROM made, source
    JOIN room_frame ON room_frame.room = source.number
), scene AS (
    INSERT INTO scene_item (room, kind, key, value, revision, updated_by, updated_at)
    SELECT made.number, item.kind, item.key, item.value, item.revision, item.updated_by, item.updated_at
    FROM made, source
    JOIN scene_item AS item ON item.room = source.number
), picture AS (
    INSERT INTO room_thumbnail (room, media_type, image, updated_at)
    SELECT made.number, thumbnail.media_type, thumbnail.image, thumbnail.updated_at
    FROM made, source
    JOIN room_thumbnail AS thumbnail ON thumbnail.room = source.number
)
INSERT INTO room_data (room, length, step, revision, bytes)
SELECT made.number, source.length, source.step, source.revision, source.bytes FROM made, source
RETURNING room
