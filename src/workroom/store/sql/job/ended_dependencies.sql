-- The final states of those of these jobs and postings that have ended. Runs after the others were marked: a dependency that ended
-- while the marking waited for its row lock is visible only to a later statement.
SELECT 'job', id, state::text FROM job WHERE id = ANY (%(jobs)s::uuid[]) AND finished_at IS NOT NULL
UNION ALL
SELECT 'posting', id, status FROM posting WHERE id = ANY (%(postings)s::uuid[]) AND finished_at IS NOT NULL
