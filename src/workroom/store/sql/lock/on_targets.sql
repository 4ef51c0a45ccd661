-- The locks on the given targets, and the lock of the given token. Runs after the room's data is locked, so that the
-- answer stays true until the transaction ends.
SELECT account.name, live_lock.message, live_lock.expires_at, live_lock.token_hash = %(token_hash)s, live_lock.target
FROM live_lock
JOIN account ON account.id = live_lock.holder
WHERE live_lock.room = %(room)s
  AND (live_lock.target = ANY (%(targets)s::text[]) OR live_lock.token_hash = %(token_hash)s)
