-- One room, with the rights of an account in it.
SELECT room.name, room.description, room.visibility, room.locked, room.owner_id, owner.name, room.created_at, room.updated_at,
       coalesce(room.owner_id = %(account_id)s, false), room_member.rights, room.extensions_from,
       room.archived
FROM room
LEFT JOIN account AS owner ON owner.id = room.owner_id
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = %(account_id)s
WHERE room.name = %(name)s
