-- Jobs of a posting in order, from an id on, with their arguments; optionally only those in some states. Compressed arguments
-- count with their decoded size. Only the first compressed ones are decoded for that.
SELECT job.id, job.extension_id, extension.scope, extension.category, extension.name, job.room, job.posting_id,
       job.state::text, job.priority, job.attempt, job.tries - job.failures AS tries_left, job.submitter, account.name, job.worker_id,
       job.retry_of, job.created_at, nullif(job.run_at, 'infinity'), job.assigned_at, job.started_at, job.finished_at, job.cancel_requested_at,
       job_progress.fraction, job_progress.message, job.arguments
FROM (
    SELECT numbered.*,
           sum(CASE WHEN compressed THEN octet_length(arguments::text) ELSE pg_column_size(arguments) END) OVER (ORDER BY id) AS bytes
    FROM (
        SELECT page.*, row_number() OVER (ORDER BY page.id) AS nth,
               count(*) FILTER (WHERE compressed) OVER (ORDER BY page.id) AS compressed_ones
        FROM (
            SELECT job.*, pg_column_compression(job.arguments) IS NOT NULL AS compressed FROM job
            WHERE job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = %(posting_id)s
              AND job.state = ANY (%(states)s::text[]::job_state[]) --? states
            ORDER BY job.id LIMIT %(limit)s
        ) AS page
    ) AS numbered
    WHERE compressed_ones <= 100
) AS job
JOIN extension ON extension.id = job.extension_id
LEFT JOIN account ON account.id = job.submitter
LEFT JOIN job_progress ON job_progress.job_id = job.id AND job_progress.attempt = job.attempt
WHERE job.bytes <= %(bytes)s OR job.nth = 1
ORDER BY job.id
