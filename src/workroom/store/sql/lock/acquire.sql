-- Acquire a free lock with the next fence, or extend it for the client that holds it, which keeps its grant. No row when
-- another client holds it. The room's data is locked.
WITH acquired AS (
    INSERT INTO room_lock
        (room, target, holder, client, job_id, attempt, grant_id, token_hash, fence, message, ttl_seconds, acquired_at,
         expires_at)
    SELECT %(room)s, %(target)s, %(holder)s, %(client)s, %(job_id)s::uuid, %(attempt)s::integer,
           coalesce(held.grant_id, %(grant_id)s), coalesce(held.token_hash, %(token_hash)s),
           coalesce(held.fence, nextval('room_lock_fence')), coalesce(%(message)s, held.message, ''), ttl.seconds,
           coalesce(held.acquired_at, clock_timestamp()),
           greatest(held.expires_at, clock_timestamp() + ttl.seconds * interval '1 second')
    FROM (VALUES (true)) AS one
    LEFT JOIN live_lock AS held ON held.room = %(room)s AND held.target = %(target)s
    CROSS JOIN LATERAL (SELECT coalesce(%(ttl_seconds)s::float8, held.ttl_seconds, %(default_seconds)s) AS seconds) AS ttl
    WHERE held.room IS NULL
       OR (held.holder = %(holder)s AND held.client = %(client)s
           AND (held.job_id, held.attempt) IS NOT DISTINCT FROM (%(job_id)s::uuid, %(attempt)s::integer))
    ON CONFLICT (room, target) DO UPDATE SET
        holder = excluded.holder, client = excluded.client, job_id = excluded.job_id, attempt = excluded.attempt,
        grant_id = excluded.grant_id, token_hash = excluded.token_hash, fence = excluded.fence,
        message = excluded.message, ttl_seconds = excluded.ttl_seconds, acquired_at = excluded.acquired_at,
        expires_at = excluded.expires_at, left_at = NULL
    RETURNING *
)
SELECT acquired.room, acquired.target, acquired.holder, account.name, acquired.client, acquired.job_id, acquired.attempt, acquired.grant_id,
       acquired.fence, acquired.message, acquired.ttl_seconds, acquired.acquired_at, acquired.expires_at
FROM acquired
JOIN account ON account.id = acquired.holder
