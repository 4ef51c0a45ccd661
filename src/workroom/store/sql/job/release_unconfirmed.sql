-- Release assignments that workers with a socket did not confirm in time; a cancelled job ends here. It counts as a failure for
-- the worker's breaker, of no person: the worker is at fault. Jobs of a disconnected worker are left to its return, or to the policy for lost workers. A worker that came
-- back was sent its unconfirmed jobs again, so its time counts from then.
WITH clock AS MATERIALIZED (
    SELECT clock_timestamp() AS now
), late AS MATERIALIZED (
    SELECT job.id, job.posting_id, job.worker_id, job.assigned_at, job.cancel_requested_at IS NOT NULL AS cancelling
    FROM clock
    JOIN heartbeat_window AS heartbeats ON heartbeats.kind IN ('remote', 'celery') AND
         --< fragments/heartbeats_arrive
    JOIN worker ON worker.kind = heartbeats.kind AND (worker.kind = 'remote' OR worker.socket IS NOT NULL) AND worker.attached AND worker.ended_at IS NULL
    JOIN job ON job.worker_id = worker.id AND job.state IN ('assigned', 'running')
    WHERE job.state = 'assigned'
      AND greatest(job.assigned_at, worker.attached_at) < clock.now - %(seconds)s * interval '1 second'
    FOR UPDATE OF job SKIP LOCKED
), held AS MATERIALIZED (
    -- The lock serialises this with a pause: no job of a paused posting is queued.
    SELECT id, status FROM posting WHERE id IN (SELECT posting_id FROM late) ORDER BY id FOR NO KEY UPDATE
), moved AS (
    UPDATE job SET
        state = CASE WHEN late.cancelling THEN 'cancelled' ELSE 'pending' END::job_state,
        worker_id = CASE WHEN late.cancelling THEN job.worker_id END,
        assigned_at = CASE WHEN late.cancelling THEN job.assigned_at END,
        run_at = CASE WHEN NOT late.cancelling AND held.status = 'paused' THEN 'infinity'::timestamptz END,
        finished_at = CASE WHEN late.cancelling THEN clock_timestamp() END
    FROM late LEFT JOIN held ON held.id = late.posting_id WHERE job.id = late.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents, late.worker_id
), recorded AS (
    INSERT INTO failed_attempt (job_id, attempt, worker_id, reason, assigned_at, ended_at)
    SELECT late.id, moved.attempt, late.worker_id, 'unconfirmed', late.assigned_at, clock_timestamp()
    FROM late JOIN moved ON moved.id = late.id WHERE NOT late.cancelling
), count_change AS (
    SELECT extension_id, 0 AS blocked, count(*) FILTER (WHERE state = 'pending') AS pending, -count(*) AS active, 0 AS completed, 0 AS failed, count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
           NULL::float8 AS run_ms
    FROM moved GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
), breaker AS (
    UPDATE offer SET
        failures = offer.failures + 1,
        failed_for = NULL,
        opened_at = CASE WHEN extension.breaker_failures > 0 AND offer.failures + 1 >= extension.breaker_failures
                         THEN clock_timestamp() ELSE offer.opened_at END
    FROM (SELECT DISTINCT worker_id, extension_id FROM moved) AS silent
    JOIN extension ON extension.id = silent.extension_id
    WHERE offer.worker_id = silent.worker_id AND offer.extension_id = silent.extension_id
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents, worker_id FROM moved
