-- A write under a lock extends the lock as a refresh does: a refresh that waited for a long write must not come too late.
UPDATE room_lock
SET expires_at = greatest(expires_at, clock_timestamp() + ttl_seconds * interval '1 second'), left_at = NULL
WHERE room = %(room)s AND token_hash = %(token_hash)s
