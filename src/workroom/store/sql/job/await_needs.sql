-- Mark the jobs and postings that a new job depends on, and tell how each of them stands. The rows stay locked, so none can
-- end unnoticed before the new job is written.
WITH jobs AS (
    UPDATE job SET awaited = true WHERE id = ANY (%(jobs)s::uuid[]) AND finished_at IS NULL RETURNING id
), postings AS (
    UPDATE posting SET awaited = true WHERE id = ANY (%(postings)s::uuid[]) AND finished_at IS NULL RETURNING id
)
SELECT 'job', id, 'unfinished' FROM jobs
UNION ALL
SELECT 'posting', id, 'unfinished' FROM postings
UNION ALL
SELECT 'job', job.id, job.state::text FROM job
WHERE job.id = ANY (%(jobs)s::uuid[]) AND job.finished_at IS NOT NULL
UNION ALL
SELECT 'posting', posting.id, posting.status FROM posting
WHERE posting.id = ANY (%(postings)s::uuid[]) AND posting.finished_at IS NOT NULL
