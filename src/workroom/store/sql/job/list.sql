-- Jobs that match all filters, in one of several orders. Of the jobs that the indexes find, at most `examined` are compared with
-- the other filters and sorted: the newest, or the oldest where the oldest come first. So a list takes a bounded time.
WITH page AS MATERIALIZED (
    SELECT job.id,
           job.id AS key --? by_time
           coalesce(extract(epoch FROM job.finished_at - job.started_at)::float8, -1) AS key --? longest_first
           coalesce(extract(epoch FROM job.finished_at - job.started_at)::float8, 'infinity') AS key --? shortest_first
           job.priority AS key --? by_priority
           lower(extension.category || '/' || extension.name) AS key --? by_name
    FROM (
        SELECT job.*
        FROM job --? any_state
        -- Without the barrier, PostgreSQL may read all jobs of the room from the newest on to find the few active ones.
        FROM (SELECT job.* FROM job WHERE job.state IN ('assigned', 'running') OFFSET 0) AS job --? active
        WHERE true
        --< fragments/found_jobs
        ORDER BY job.id DESC --? newest
        ORDER BY job.id --? oldest
        LIMIT %(examined)s
    ) AS job
    JOIN extension ON extension.id = job.extension_id
    WHERE true
    --< fragments/compared_jobs
    ORDER BY key DESC, job.id DESC --? descending
    ORDER BY key, job.id --? ascending
    LIMIT %(limit)s OFFSET %(offset)s
)
SELECT job.id, job.extension_id, extension.scope, extension.category, extension.name, job.room, job.posting_id,
       job.state::text, job.priority, job.attempt, job.tries - job.failures AS tries_left, job.submitter, account.name, job.worker_id,
       job.retry_of, job.created_at, nullif(job.run_at, 'infinity'), job.assigned_at, job.started_at, job.finished_at, job.cancel_requested_at,
       job_progress.fraction, job_progress.message,
       -- Long values, and arguments with secrets, are left out. A value that is stored compressed may be long all the same.
       CASE WHEN pg_column_size(job.arguments) > 2000
              OR CASE WHEN pg_column_compression(job.arguments) IS NOT NULL THEN octet_length(job.arguments::text) > 4000 ELSE false END
              OR strpos(extension.schema::text, '"writeOnly"') > 0
              OR strpos(extension.schema::text, '"password"') > 0 THEN '"…"'::jsonb ELSE job.arguments END,
       CASE WHEN pg_column_size(job.result) > 2000
              OR CASE WHEN pg_column_compression(job.result) IS NOT NULL THEN octet_length(job.result::text) > 4000 ELSE false END THEN '"…"'::jsonb ELSE job.result END,
       job.error->>'type', left(job.error->>'message', 1000), left(coalesce(worker.info ->> 'name', worker.info ->> 'host'), 200)
FROM page
JOIN job ON job.id = page.id
JOIN extension ON extension.id = job.extension_id
LEFT JOIN account ON account.id = job.submitter
LEFT JOIN worker ON worker.id = job.worker_id
LEFT JOIN job_progress ON job_progress.job_id = job.id AND job_progress.attempt = job.attempt
ORDER BY page.key DESC, page.id DESC --? descending
ORDER BY page.key, page.id --? ascending
