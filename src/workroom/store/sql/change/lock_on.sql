-- Who has the lock on what is about to be written. Asked after the room's data is held, so that the answer is of now.
SELECT account.name, room_lock.message, room_lock.expires_at, room_lock.token_hash = %(token_hash)s
FROM room_lock
JOIN account ON account.id = room_lock.holder
WHERE room_lock.room = %(room)s AND room_lock.target = %(target)s AND room_lock.expires_at > clock_timestamp()
