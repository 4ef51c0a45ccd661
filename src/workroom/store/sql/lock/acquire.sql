-- Take a lock that nobody has, with a larger fence; or take it again: a client that has it keeps its grant, for longer. No
-- row when somebody else has it. The room's data is held.
WITH taken AS (
    INSERT INTO room_lock
        (room, target, holder, client, job_id, attempt, grant_id, token_hash, fence, message, ttl_seconds, acquired_at,
         expires_at)
    SELECT %(room)s, %(target)s, %(holder)s, %(client)s, %(job_id)s::uuid, %(attempt)s::integer,
           coalesce(had.grant_id, %(grant_id)s), coalesce(had.token_hash, %(token_hash)s),
           coalesce(had.fence, nextval('room_lock_fence')), coalesce(%(message)s, had.message, ''), ttl.seconds,
           coalesce(had.acquired_at, clock_timestamp()),
           greatest(had.expires_at, clock_timestamp() + ttl.seconds * interval '1 second')
    FROM (VALUES (true)) AS one
    LEFT JOIN live_lock AS had ON had.room = %(room)s AND had.target = %(target)s
    CROSS JOIN LATERAL (SELECT coalesce(%(ttl_seconds)s::float8, had.ttl_seconds, %(usual_seconds)s) AS seconds) AS ttl
    WHERE had.room IS NULL
       OR (had.holder = %(holder)s AND had.client = %(client)s
           AND (had.job_id, had.attempt) IS NOT DISTINCT FROM (%(job_id)s::uuid, %(attempt)s::integer))
    ON CONFLICT (room, target) DO UPDATE SET
        holder = excluded.holder, client = excluded.client, job_id = excluded.job_id, attempt = excluded.attempt,
        grant_id = excluded.grant_id, token_hash = excluded.token_hash, fence = excluded.fence,
        message = excluded.message, ttl_seconds = excluded.ttl_seconds, acquired_at = excluded.acquired_at,
        expires_at = excluded.expires_at, left_at = NULL
    RETURNING *
)
SELECT taken.room, taken.target, taken.holder, account.name, taken.client, taken.job_id, taken.attempt, taken.grant_id,
       taken.fence, taken.message, taken.ttl_seconds, taken.acquired_at, taken.expires_at
FROM taken
JOIN account ON account.id = taken.holder
