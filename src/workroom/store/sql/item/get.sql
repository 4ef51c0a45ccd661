-- One item.
SELECT item.kind, item.key, item.value, item.revision, item.updated_by, account.name, item.updated_at
FROM scene_item AS item
JOIN room ON room.number = item.room
LEFT JOIN account ON account.id = item.updated_by
WHERE room.name = %(room)s AND item.kind = %(kind)s AND item.key = %(key)s
