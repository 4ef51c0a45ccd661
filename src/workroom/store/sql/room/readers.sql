-- Those of these pairs of an account and a room whose account may read the room.
SELECT account.id, room.name
FROM unnest(%(accounts)s::uuid[], %(rooms)s::text[]) AS asked (account_id, room)
JOIN room ON room.name = asked.room
JOIN account ON account.id = asked.account_id
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE room.visibility = 'public' OR room.owner_id = account.id OR room_member.rights IS NOT NULL OR account.role = 'admin'
