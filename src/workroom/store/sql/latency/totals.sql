-- Waits and runs of all jobs, by bucket.
SELECT kind, bound, sum(jobs)::bigint, sum(seconds) FROM job_latency GROUP BY kind, bound ORDER BY kind, bound
