-- Assign a worker its next jobs, all of one extension: the one served longest ago among those with the most urgent job. A remote
-- worker runs only the function calls that its owner or the room it serves posted, unless an admin registered it.
WITH me AS MATERIALIZED (
    SELECT worker.id, worker.kind, worker.capacity, worker.account_id, worker.room, worker.resources, worker.ends_at,
           worker.capacity - (
               SELECT count(*) FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) AS slots,
           worker.kind <> 'remote'
               OR coalesce((SELECT account.role = 'admin' FROM account WHERE account.id = worker.account_id), false) AS trusted
    FROM worker
    WHERE worker.id = %(worker_id)s AND
          --< fragments/worker_available
      -- The row lock serialises claims of one worker. If this one waited, its slot count is stale (`served_at` changed), so it
      -- returns no rows.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = %(worker_id)s)
    FOR NO KEY UPDATE
), choice AS MATERIALIZED (
    SELECT offer.extension_id, least(worker.slots, %(limit)s, spare.slots) AS slots,
           extension.scope = 'function' AND NOT worker.trusted AS own_only, worker.account_id, worker.room,
           count(*) OVER () > 1 AS others
    FROM me AS worker
    JOIN offer ON offer.worker_id = worker.id
    JOIN extension ON extension.id = offer.extension_id AND NOT extension.paused
    CROSS JOIN LATERAL (
        SELECT held.jobs, -held.jobs +
               --< fragments/extension_slots
               AS slots
        FROM (
            -- Without a limit per extension, counting can be skipped: the worker's own slots are the limit.
            SELECT count(*) AS jobs FROM job
            WHERE (offer.opened_at IS NOT NULL OR extension.concurrency IS NOT NULL OR extension.resources IS NOT NULL)
              AND job.worker_id = worker.id AND job.extension_id = offer.extension_id AND job.state IN ('assigned', 'running')
        ) AS held
    ) AS spare
    CROSS JOIN LATERAL (
        SELECT job.priority FROM job
        WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL
          AND (job.posting_id IS NULL OR job.posting_id <> ALL (%(deprioritised)s::uuid[]))
          -- A call that a job posted in the owner's name counts only if that job ran on a worker of the same owner: the worker of
          -- another account could choose its arguments.
          AND (extension.scope <> 'function' OR worker.trusted
               OR job.room = worker.room OR (job.submitter = worker.account_id AND (job.posting_id IS NULL
                   OR (SELECT posting.posted_by FROM posting WHERE posting.id = job.posting_id) = worker.account_id)))
        ORDER BY job.extension_id, job.priority DESC, job.turn, job.id LIMIT 1
    ) AS head
    WHERE worker.slots > 0 AND spare.slots > 0
    ORDER BY head.priority DESC, offer.served_at NULLS FIRST, offer.extension_id
    LIMIT 1
), picked AS MATERIALIZED (
    SELECT waiting.ctid FROM choice AS worker CROSS JOIN LATERAL (
        SELECT job.ctid FROM job
        WHERE job.extension_id = worker.extension_id AND job.state = 'pending' AND job.run_at IS NULL
          AND (job.posting_id IS NULL OR job.posting_id <> ALL (%(deprioritised)s::uuid[]))
          AND (NOT worker.own_only
               OR job.room = worker.room OR (job.submitter = worker.account_id AND (job.posting_id IS NULL
                   OR (SELECT posting.posted_by FROM posting WHERE posting.id = job.posting_id) = worker.account_id)))
        ORDER BY job.extension_id, job.priority DESC, job.turn, job.id
        LIMIT worker.slots
        FOR UPDATE SKIP LOCKED
    ) AS waiting
), claimed AS (
    UPDATE job SET state = 'assigned', worker_id = %(worker_id)s, attempt = job.attempt + 1, assigned_at = clock_timestamp()
    WHERE job.ctid = ANY (ARRAY(SELECT ctid FROM picked))
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id IS NOT NULL AS posted, job.room, job.tries - job.failures AS tries_left,
              job.arguments, job.assigned_at, job.priority, job.turn, job.on_worker_lost
), count_change AS (
    SELECT extension_id, 0 AS blocked, -count(*) AS pending, count(*) AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM claimed GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
), offer_served AS (
    UPDATE offer SET served_at = clock_timestamp() FROM choice
    WHERE offer.worker_id = %(worker_id)s AND offer.extension_id = choice.extension_id AND EXISTS (SELECT FROM claimed)
), worker_served AS (
    UPDATE worker SET served_at = clock_timestamp() WHERE worker.id = %(worker_id)s AND EXISTS (SELECT FROM claimed)
), commit_mode AS MATERIALIZED (
    -- Jobs of a pool that may run again need not be flushed as claimed before they run: after a crash they wait again.
    SELECT CASE WHEN bool_and(claimed.on_worker_lost = 'requeue') AND bool_and(me.kind <> 'remote')
                THEN set_config('synchronous_commit', 'off', true) END
    FROM claimed CROSS JOIN me
)
SELECT id, attempt, extension_id, posted, room, tries_left, arguments, assigned_at,
       (SELECT choice.others FROM choice CROSS JOIN commit_mode), on_worker_lost = 'requeue_unstarted'
FROM claimed
ORDER BY priority DESC, turn, id
