-- The members of a room; the creator comes first.
SELECT account.id, account.name, 'own' AS rights, true AS creator, room.created_at AS added_at
FROM room JOIN account ON account.id = room.owner_id WHERE room.name = %(room)s
UNION ALL
SELECT account.id, account.name, room_member.rights, false, room_member.added_at
FROM room_member JOIN account ON account.id = room_member.account_id JOIN room ON room.name = room_member.room
WHERE room_member.room = %(room)s AND room_member.account_id IS DISTINCT FROM room.owner_id
ORDER BY creator DESC, name
