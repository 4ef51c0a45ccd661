-- Failed jobs that match all filters, grouped by the type of their error and by where it was raised; the most frequent group first.
-- At most `examined` failed jobs are read, the newest.
WITH error_group AS MATERIALIZED (
    SELECT found.type, found.place, count(*) AS jobs, max(job.id::text)::uuid AS newest,
           min(job.created_at) AS first_at, max(job.created_at) AS last_at
    FROM (
        SELECT job.* FROM job
        WHERE true
        --< fragments/found_jobs
        ORDER BY job.id DESC LIMIT %(examined)s
    ) AS job
    JOIN extension ON extension.id = job.extension_id
    CROSS JOIN LATERAL (
        SELECT coalesce(error.type, 'Error') AS type, coalesce(error.place, '') AS place
        FROM jsonb_to_record(job.error) AS error (type text, place text)
    ) AS found
    WHERE true
    --< fragments/compared_jobs
    GROUP BY found.type, found.place
    ORDER BY count(*) DESC, max(job.id::text) DESC
    LIMIT %(limit)s
)
SELECT error_group.type, error_group.place, left(job.error ->> 'message', 1000), job.error ->> 'reason', error_group.jobs,
       error_group.newest, extension.category, extension.name, error_group.first_at, error_group.last_at
FROM error_group
JOIN job ON job.id = error_group.newest
JOIN extension ON extension.id = job.extension_id
ORDER BY error_group.jobs DESC, error_group.newest DESC
