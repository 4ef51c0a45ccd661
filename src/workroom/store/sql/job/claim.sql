-- Give a worker its next jobs, all of one extension: the one served longest ago among those with the most urgent job. A remote
-- worker runs functions for its owner and for the room it serves; an admin's runs them for everybody.
WITH me AS MATERIALIZED (
    SELECT worker.id, worker.capacity - (
        SELECT count(*) FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) AS slots
        , worker.account_id, worker.room --? remote
        , coalesce((SELECT account.role = 'admin' FROM account WHERE account.id = worker.account_id), false) AS trusted --? remote
    FROM worker
    WHERE worker.id = %(worker_id)s AND worker.attached AND worker.ended_at IS NULL AND NOT worker.draining
      -- Claims of one worker take turns. One that had to wait has counted too few jobs held: it gets nothing.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = %(worker_id)s)
    FOR NO KEY UPDATE
), choice AS MATERIALIZED (
    SELECT offer.extension_id, least(me.slots, %(limit)s, spare.slots) AS slots
        , extension.scope = 'function' AND NOT me.trusted AS own_only, me.account_id, me.room --? remote
        , count(*) OVER () > 1 AS others --? pool
    FROM me
    JOIN offer ON offer.worker_id = me.id
    JOIN extension ON extension.id = offer.extension_id AND NOT extension.paused
    CROSS JOIN LATERAL (
        -- An open breaker lets nothing through, then one probe at a time.
        SELECT CASE
            WHEN offer.opened_at + extension.breaker_seconds * interval '1 second' > now() THEN 0
            WHEN offer.opened_at IS NOT NULL THEN 1 - held.jobs
            WHEN extension.concurrency IS NOT NULL THEN extension.concurrency - held.jobs
            ELSE me.slots END AS slots
        FROM (
            SELECT count(*) AS jobs FROM job
            WHERE (offer.opened_at IS NOT NULL OR extension.concurrency IS NOT NULL)
              AND job.worker_id = me.id AND job.extension_id = offer.extension_id AND job.state IN ('assigned', 'running')
        ) AS held
    ) AS spare
    CROSS JOIN LATERAL (
        SELECT job.priority FROM job
        WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL
          AND (job.posting_id IS NULL OR job.posting_id <> ALL (%(set_aside)s::uuid[])) --? set_aside
          AND (extension.scope <> 'function' OR me.trusted OR job.submitter = me.account_id OR job.room = me.room) --? remote
        ORDER BY job.extension_id, job.priority DESC, job.turn, job.id LIMIT 1
    ) AS head
    WHERE me.slots > 0 AND spare.slots > 0
    ORDER BY head.priority DESC, offer.served_at NULLS FIRST, offer.extension_id
    LIMIT 1
), picked AS MATERIALIZED (
    SELECT waiting.ctid FROM choice CROSS JOIN LATERAL (
        SELECT job.ctid FROM job
        WHERE job.extension_id = choice.extension_id AND job.state = 'pending' AND job.run_at IS NULL
          AND (job.posting_id IS NULL OR job.posting_id <> ALL (%(set_aside)s::uuid[])) --? set_aside
          AND (NOT choice.own_only OR job.submitter = choice.account_id OR job.room = choice.room) --? remote
        ORDER BY job.extension_id, job.priority DESC, job.turn, job.id
        LIMIT choice.slots
        FOR UPDATE SKIP LOCKED
    ) AS waiting
), claimed AS (
    UPDATE job SET state = 'assigned', worker_id = %(worker_id)s, attempt = job.attempt + 1, assigned_at = clock_timestamp()
    WHERE job.ctid = ANY (ARRAY(SELECT ctid FROM picked))
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id IS NOT NULL AS posted, job.room, job.tries - job.failures AS tries_left,
              job.arguments, job.assigned_at, job.priority, job.turn, job.on_worker_lost
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, pending, active)
    SELECT extension_id, pg_backend_pid(), -count(*), count(*) FROM claimed GROUP BY extension_id
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET pending = t.pending + excluded.pending, active = t.active + excluded.active
), served AS (
    UPDATE offer SET served_at = clock_timestamp() FROM choice
    WHERE offer.worker_id = %(worker_id)s AND offer.extension_id = choice.extension_id AND EXISTS (SELECT FROM claimed)
), noted AS (
    UPDATE worker SET served_at = clock_timestamp() WHERE worker.id = %(worker_id)s AND EXISTS (SELECT FROM claimed)
), unhurried AS MATERIALIZED ( --? pool
    -- Jobs that may be run again need not be on disk as claimed before they run: a crash leaves them waiting. --? pool
    SELECT CASE WHEN bool_and(on_worker_lost = 'requeue') THEN set_config('synchronous_commit', 'off', true) END --? pool
    FROM claimed --? pool
)
SELECT id, attempt, extension_id, posted, room, tries_left, arguments
    , assigned_at --? remote
    , NULL, (SELECT choice.others FROM choice CROSS JOIN unhurried), on_worker_lost = 'requeue_unstarted' --? pool
FROM claimed
ORDER BY priority DESC, turn, id
