-- Mark the unfinished jobs and postings that a new job depends on. Their rows stay locked, so none can end before the new job
-- and its dependencies are written.
WITH jobs AS (
    UPDATE job SET has_dependents = true WHERE id = ANY (%(jobs)s::uuid[]) AND finished_at IS NULL RETURNING id
), postings AS (
    UPDATE posting SET has_dependents = true WHERE id = ANY (%(postings)s::uuid[]) AND finished_at IS NULL RETURNING id
)
SELECT 'job', id, 'unfinished' FROM jobs
UNION ALL
SELECT 'posting', id, 'unfinished' FROM postings
