-- The live remote workers of accounts that serve a room, each with what decides whether it still may.
SELECT worker.id, account.role, room.owner_id = account.id, room.visibility = 'public', room_member.rights, room.extensions_from
FROM room
JOIN worker ON worker.ended_at IS NULL AND worker.kind = 'remote' AND (worker.room = room.name OR EXISTS (
    SELECT FROM offer JOIN extension ON extension.id = offer.extension_id
    WHERE offer.worker_id = worker.id AND extension.room = room.name))
JOIN account ON account.id = worker.account_id
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE room.name = %(room)s
ORDER BY worker.id
