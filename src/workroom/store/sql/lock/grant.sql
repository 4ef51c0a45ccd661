-- Grant a lock that nobody has: what is left of an older grant gives way, and the fence is larger than its.
WITH granted AS (
    INSERT INTO room_lock AS held
        (room, target, holder, client, job_id, attempt, grant_id, token_hash, message, ttl_seconds, expires_at)
    VALUES (%(room)s, %(target)s, %(holder)s, %(client)s, %(job_id)s, %(attempt)s, %(grant_id)s, %(token_hash)s, %(message)s,
            %(ttl_seconds)s, clock_timestamp() + %(ttl_seconds)s * interval '1 second')
    ON CONFLICT (room, target) DO UPDATE SET
        holder = excluded.holder, client = excluded.client, job_id = excluded.job_id, attempt = excluded.attempt,
        grant_id = excluded.grant_id, token_hash = excluded.token_hash, fence = excluded.fence,
        message = excluded.message, ttl_seconds = excluded.ttl_seconds, acquired_at = clock_timestamp(),
        expires_at = excluded.expires_at, left_at = NULL
    RETURNING *
)
SELECT granted.room, granted.target, granted.holder, account.name, granted.client, granted.job_id, granted.attempt,
       granted.grant_id, granted.fence, granted.message, granted.ttl_seconds, granted.acquired_at, granted.expires_at
FROM granted
JOIN account ON account.id = granted.holder
