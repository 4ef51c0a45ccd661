-- A worker reports results. A report with a run time also stands for the start of the job.
--
-- Standalone, the statement is its own transaction: it leaves out jobs with dependents, counts the jobs in their postings and
-- notifies the clients that wait for an ended posting. Inside a transaction the caller does all that (`propagate`).
WITH done AS (
    UPDATE job SET
        state = 'completed',
        result = CASE WHEN report.result <> 'null' THEN report.result END,
        started_at = coalesce(job.started_at, job.assigned_at + nullif(report.waited_ms, 'NaN') * interval '1 millisecond',
                              greatest(job.assigned_at, clock_timestamp() - nullif(report.ran_ms, 'NaN') * interval '1 millisecond')),
        finished_at = coalesce(job.assigned_at + nullif(report.waited_ms + report.ran_ms, 'NaN') * interval '1 millisecond', clock_timestamp())
    FROM ROWS FROM (
        unnest(%(ids)s::uuid[]), unnest(%(attempts)s::integer[]), unnest(%(waited_ms)s::real[]), unnest(%(ran_ms)s::real[]),
        jsonb_array_elements(%(results)s::jsonb)
    ) AS report (id, attempt, waited_ms, ran_ms, result)
    WHERE job.id = report.id AND job.attempt = report.attempt
      AND job.worker_id = %(worker_id)s AND (job.state = 'running' OR (job.state = 'assigned' AND report.ran_ms <> 'NaN'))
      AND NOT (job.has_dependents AND %(standalone)s)
      AND (%(incarnation)s::integer IS NULL
           OR EXISTS (SELECT FROM worker WHERE worker.id = %(worker_id)s AND worker.incarnation = %(incarnation)s))
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.has_dependents,
              job.started_at, job.finished_at, job.result
), count_change AS (
    SELECT extension_id, 0 AS blocked, 0 AS pending, -count(*) AS active, count(*) AS completed, 0 AS failed, 0 AS cancelled,
           avg(extract(epoch FROM finished_at - started_at)) * 1000 AS run_ms
    FROM done GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
), closed AS (
    UPDATE offer SET failures = 0, failed_inputs = '{}', failed_for = NULL, opened_at = NULL
    WHERE worker_id = %(worker_id)s AND failures > 0 AND extension_id IN (SELECT extension_id FROM done)
    RETURNING extension_id
), ended AS MATERIALIZED (
    -- Reads `closed`: every statement locks offers before postings, so that no two wait for each other.
    SELECT posting_id AS id, count(*)::integer AS jobs, count(*)::integer AS completed, 0 AS failed, 0 AS cancelled, true AS standalone
    FROM done WHERE posting_id IS NOT NULL AND %(standalone)s AND (SELECT count(*) FROM closed) IS NOT NULL
    GROUP BY posting_id ORDER BY posting_id
), posted AS (
    --< fragments/count_and_end_postings
    RETURNING posting.id, posting.extension_id, posting.status, posting.has_dependents, posting.finished_at, posting.total,
              posting.sealed AND posting.completed + posting.failed + posting.cancelled = posting.total AS counted
), notified AS MATERIALIZED (
    -- The notification of a posting with a single job carries a short result, so that the client need not fetch it.
    SELECT pg_notify('workroom_posting', concat_ws(' ', posted.id, CASE WHEN posted.total = 1 AND posted.status = 'completed' THEN (
        SELECT concat_ws(' ', done.id, coalesce(done.result, 'null')) FROM done
        WHERE done.posting_id = posted.id AND coalesce(octet_length(done.result::text), 0) < 7000) END))
    FROM posted WHERE posted.finished_at IS NOT NULL
)
SELECT 'job', id, attempt, extension_id, posting_id, room, 'completed', has_dependents, 1::bigint, started_at, finished_at,
       -- Whether a job waits that the worker could take; only asked for remote workers.
       %(incarnation)s::integer IS NOT NULL AND EXISTS (
           --< fragments/waiting_job_for_worker
           %(worker_id)s)
FROM done WHERE posting_id IS NULL OR has_dependents
UNION ALL
-- Jobs of postings are returned as counts: there are many, and no client follows them one by one.
SELECT 'job', posting_id, 0, extension_id, posting_id, NULL, 'completed', false, count(*), NULL, NULL, %(incarnation)s::integer IS NOT NULL
FROM done WHERE posting_id IS NOT NULL AND NOT has_dependents GROUP BY posting_id, extension_id
UNION ALL
-- Reads `notified`, because PostgreSQL skips a query that nothing reads.
SELECT 'posting', id, 0, extension_id, id, NULL, status, has_dependents, 0, NULL, finished_at, false
FROM posted CROSS JOIN (SELECT count(*) FROM notified) AS sent WHERE posted.counted
