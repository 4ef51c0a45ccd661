-- The locks of a room, each with what decides whether its holder may still write there.
SELECT room_lock.target, account.role = 'admin', coalesce(room.owner_id = account.id, false), room.visibility = 'public',
       room_member.rights
FROM room_lock
JOIN room ON room.name = room_lock.room
JOIN account ON account.id = room_lock.holder
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE room_lock.room = %(room)s
