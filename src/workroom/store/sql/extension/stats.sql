-- Workers of an extension, idle and busy, and its jobs by state from counters.
SELECT coalesce(workers_of.idle, 0), coalesce(workers_of.busy, 0), job_count.blocked, job_count.pending, job_count.active, job_count.completed, job_count.failed,
       job_count.cancelled, job_count.run_ms
FROM (
    SELECT
    --< fragments/job_count_sums
    FROM job_count WHERE extension_id = %(extension_id)s
) AS job_count
CROSS JOIN (
    SELECT count(*) FILTER (WHERE NOT held.any) AS idle, count(*) FILTER (WHERE held.any) AS busy
    FROM offer JOIN worker ON worker.id = offer.worker_id AND worker.attached AND worker.ended_at IS NULL
    CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) AS any
    ) AS held
    WHERE offer.extension_id = %(extension_id)s
) AS workers_of
