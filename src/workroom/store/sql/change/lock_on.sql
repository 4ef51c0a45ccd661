-- Who has the lock on what is about to be written. Asked after the room's data is held, so that the answer is of now.
SELECT account.name, live_lock.message, live_lock.expires_at, live_lock.token_hash = %(token_hash)s, live_lock.target
FROM live_lock
JOIN account ON account.id = live_lock.holder
WHERE live_lock.room = %(room)s AND live_lock.target = ANY (%(targets)s::text[])
