-- The items of some kinds in a room.
SELECT item.kind, item.key, item.value, item.revision, item.updated_by, account.name, item.updated_at
FROM scene_item AS item
JOIN room ON room.number = item.room
LEFT JOIN account ON account.id = item.updated_by
WHERE room.name = %(room)s AND item.kind = ANY (%(kinds)s::text[])
ORDER BY item.kind, item.key
