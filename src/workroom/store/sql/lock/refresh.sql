-- Put off the end of a lock, and say anew what it is for; what is null stays. No row when the lock is lost.
WITH kept AS (
    UPDATE live_lock
    SET expires_at = greatest(expires_at, clock_timestamp() + coalesce(%(ttl_seconds)s, ttl_seconds) * interval '1 second'),
        ttl_seconds = coalesce(%(ttl_seconds)s, ttl_seconds), message = coalesce(%(message)s, message), left_at = NULL
    WHERE room = %(room)s AND target = %(target)s AND token_hash = %(token_hash)s
    RETURNING *
)
SELECT kept.room, kept.target, kept.holder, account.name, kept.client, kept.job_id, kept.attempt, kept.grant_id, kept.fence,
       kept.message, kept.ttl_seconds, kept.acquired_at, kept.expires_at
FROM kept
JOIN account ON account.id = kept.holder
