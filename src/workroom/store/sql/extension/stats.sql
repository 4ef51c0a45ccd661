-- Workers of an extension, idle and busy, and its jobs by state from counters.
SELECT coalesce(workers_of.idle, 0), coalesce(workers_of.busy, 0), job_count.blocked, job_count.pending, job_count.active, job_count.completed, job_count.failed,
       job_count.cancelled, job_count.run_ms
FROM (
    SELECT coalesce(sum(blocked), 0)::bigint AS blocked, coalesce(sum(pending), 0)::bigint AS pending,
           coalesce(sum(active), 0)::bigint AS active, coalesce(sum(completed), 0)::bigint AS completed,
           coalesce(sum(failed), 0)::bigint AS failed, coalesce(sum(cancelled), 0)::bigint AS cancelled, avg(run_ms) AS run_ms
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
