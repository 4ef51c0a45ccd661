-- Who has the locks on what is about to be written, and the lock that the writer says they have. Asked after the room's
-- data is held, so that the answer is of now.
SELECT account.name, live_lock.message, live_lock.expires_at, live_lock.token_hash = %(token_hash)s, live_lock.target
FROM live_lock
JOIN account ON account.id = live_lock.holder
WHERE live_lock.room = %(room)s
  AND (live_lock.target = ANY (%(targets)s::text[]) OR live_lock.token_hash = %(token_hash)s)
