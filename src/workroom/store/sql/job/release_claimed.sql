-- A worker releases jobs it has not started: they wait again at their old turn. Cancelled jobs stay with the worker, which
-- must confirm them.
WITH mine AS MATERIALIZED (
    SELECT job.id, job.posting_id FROM unnest(%(ids)s::uuid[], %(attempts)s::integer[]) AS returned (id, attempt)
    JOIN job ON job.id = returned.id
    WHERE job.worker_id = %(worker_id)s AND job.attempt = returned.attempt AND job.state = 'assigned' AND job.cancel_requested_at IS NULL
    FOR UPDATE OF job
), held AS MATERIALIZED (
    -- The lock serialises this with a pause: no job of a paused posting is queued.
    SELECT id, status FROM posting WHERE id IN (SELECT posting_id FROM mine) FOR SHARE
), moved AS (
    UPDATE job SET state = 'pending', worker_id = NULL, assigned_at = NULL,
                   run_at = CASE WHEN held.status = 'paused' THEN 'infinity'::timestamptz END
    FROM mine LEFT JOIN held ON held.id = mine.posting_id
    WHERE job.id = mine.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents
), count_change AS (
    SELECT extension_id, 0 AS blocked, count(*) AS pending, -count(*) AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM moved GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved
