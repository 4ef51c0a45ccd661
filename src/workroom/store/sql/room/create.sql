-- Create a room with its data row and its default geometries.
WITH made AS (
    INSERT INTO room (name, owner_id, description, visibility, extensions_from)
    VALUES (%(name)s, %(owner_id)s, %(description)s, %(visibility)s, %(extensions_from)s)
    RETURNING number
), data AS (
    INSERT INTO room_data (room) SELECT number FROM made RETURNING room
)
INSERT INTO scene_item (room, kind, key, value, revision)
SELECT data.room, 'geometry', shape.type, jsonb_build_object('type', shape.type, 'data', '{}'::jsonb), 0
FROM data, (VALUES ('spheres'), ('bonds'), ('cell')) AS shape (type)
