-- Release a lock. No row when the lock is lost.
DELETE FROM live_lock WHERE room = %(room)s AND target = %(target)s AND token_hash = %(token_hash)s RETURNING room
