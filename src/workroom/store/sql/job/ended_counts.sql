-- Jobs that match all filters and ended since a time, counted by step of time, extension, state and the buckets of their times, which
-- only completed jobs have (`domain/jobs/job_history.bucket`). At most `examined` jobs are read, the newest.
SELECT ended.step, ended.scope, ended.category, ended.name, ended.state,
       CASE WHEN ended.waited <= 1 THEN 0 WHEN ended.waited > 1 THEN least(ceil(ln(ended.waited) / ln(2)), %(last_bucket)s) END::integer AS wait_bucket,
       CASE WHEN ended.ran <= 1 THEN 0 WHEN ended.ran > 1 THEN least(ceil(ln(ended.ran) / ln(2)), %(last_bucket)s) END::integer AS run_bucket,
       count(*) AS jobs
FROM (
    SELECT date_bin(%(step_seconds)s * interval '1 second', job.finished_at, 'epoch') AS step,
           extension.scope, extension.category, extension.name, job.state::text AS state,
           CASE WHEN job.state = 'completed'
                THEN extract(epoch FROM job.started_at - job.created_at)::float8 * 1000 END AS waited,
           CASE WHEN job.state = 'completed'
                THEN extract(epoch FROM job.finished_at - job.started_at)::float8 * 1000 END AS ran
    FROM (
        SELECT job.* FROM job
        WHERE true
        --< fragments/found_jobs
        ORDER BY job.id DESC LIMIT %(examined)s
    ) AS job
    JOIN extension ON extension.id = job.extension_id
    WHERE job.finished_at >= %(ended_since)s
    --< fragments/compared_jobs
) AS ended
GROUP BY 1, 2, 3, 4, 5, 6, 7
