-- Extend a lock, and set its message; null keeps a value. No row when the lock is lost.
WITH refreshed AS (
    UPDATE live_lock
    SET expires_at = greatest(expires_at, clock_timestamp() + coalesce(%(ttl_seconds)s, ttl_seconds) * interval '1 second'),
        ttl_seconds = coalesce(%(ttl_seconds)s, ttl_seconds), message = coalesce(%(message)s, message), left_at = NULL
    WHERE room = %(room)s AND target = %(target)s AND token_hash = %(token_hash)s
    RETURNING *
)
SELECT refreshed.room, refreshed.target, refreshed.holder, account.name, refreshed.client, refreshed.job_id, refreshed.attempt, refreshed.grant_id, refreshed.fence,
       refreshed.message, refreshed.ttl_seconds, refreshed.acquired_at, refreshed.expires_at
FROM refreshed
JOIN account ON account.id = refreshed.holder
