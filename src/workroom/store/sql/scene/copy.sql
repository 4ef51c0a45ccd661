-- What a room shows, in a copy of it that shows nothing yet.
INSERT INTO scene_item (room, kind, key, value, revision, updated_by)
SELECT copy.number, item.kind, item.key, item.value, 0, item.updated_by
FROM room AS copy, room AS source
JOIN scene_item AS item ON item.room = source.number
WHERE copy.name = %(name)s AND source.name = %(source)s
