-- Single-row version of a standalone `complete`: a smaller plan, so the executor starts faster.
WITH done AS (
    UPDATE job SET
        state = 'completed',
        result = nullif(%(result)s::jsonb, 'null'),
        started_at = coalesce(job.started_at, job.assigned_at + %(waited_ms)s::real * interval '1 millisecond',
                              greatest(job.assigned_at, clock_timestamp() - %(ran_ms)s::real * interval '1 millisecond')),
        finished_at = coalesce(job.assigned_at + (%(waited_ms)s::real + %(ran_ms)s::real) * interval '1 millisecond', clock_timestamp())
    -- Only the primary key fits these conditions. Plain equality with the worker would let a plan that was made while the table
    -- was empty read the index of active jobs instead.
    WHERE job.id = %(id)s AND job.attempt = %(attempt)s AND job.worker_id IS NOT DISTINCT FROM %(worker_id)s AND NOT job.has_dependents
      AND CASE WHEN %(ran_ms)s::real IS NULL THEN job.state = 'running' ELSE job.state IN ('assigned', 'running') END
      AND (%(incarnation)s::integer IS NULL
           OR EXISTS (SELECT FROM worker WHERE worker.id = %(worker_id)s AND worker.incarnation = %(incarnation)s))
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.started_at, job.finished_at, job.result
), count_change AS (
    SELECT extension_id, 0 AS blocked, 0 AS pending, -1 AS active, 1 AS completed, 0 AS failed, 0 AS cancelled,
           extract(epoch FROM finished_at - started_at) * 1000 AS run_ms
    FROM done
), counted AS (
    --< fragments/add_job_counts
), closed AS (
    UPDATE offer SET failures = 0, failed_inputs = '{}', failed_for = NULL, opened_at = NULL FROM done
    WHERE offer.worker_id = %(worker_id)s AND offer.extension_id = done.extension_id AND offer.failures > 0
    RETURNING offer.extension_id
), ended AS MATERIALIZED (
    -- Reads `closed`: every statement locks offers before postings, so that no two wait for each other.
    SELECT posting_id AS id, 1 AS jobs, 1 AS completed, 0 AS failed, 0 AS cancelled, true AS standalone
    FROM done WHERE posting_id IS NOT NULL AND (SELECT count(*) FROM closed) IS NOT NULL
), posted AS (
    --< fragments/count_and_end_postings
    RETURNING posting.id, posting.status, posting.has_dependents, posting.finished_at, posting.total,
              posting.sealed AND posting.completed + posting.failed + posting.cancelled = posting.total AS counted
), notified AS MATERIALIZED (
    -- The notification of a posting with a single job carries a short result, so that the client need not fetch it.
    SELECT pg_notify('workroom_posting', concat_ws(' ', posted.id,
        CASE WHEN posted.total = 1 AND posted.status = 'completed' AND coalesce(octet_length(done.result::text), 0) < 7000
             THEN concat_ws(' ', done.id, coalesce(done.result, 'null')) END))
    FROM posted CROSS JOIN done WHERE posted.finished_at IS NOT NULL
)
SELECT done.id, done.attempt, done.extension_id, done.posting_id, done.room, 'completed', false, 1::bigint, done.started_at, done.finished_at,
       -- Whether a job waits that the worker could take; only asked for remote workers.
       %(incarnation)s::integer IS NOT NULL AND EXISTS (
           --< fragments/waiting_job_for_worker
           %(worker_id)s),
       posted.status, posted.has_dependents
-- Reads `notified`, because PostgreSQL skips a query that nothing reads.
FROM done CROSS JOIN (SELECT count(*) FROM notified) AS sent LEFT JOIN posted ON posted.counted
