-- How those of these jobs and postings have ended that have. Asked after the others were marked: one that ended while the
-- marking waited for it is seen only by a statement that begins later.
SELECT 'job', id, state::text FROM job WHERE id = ANY (%(jobs)s::uuid[]) AND finished_at IS NOT NULL
UNION ALL
SELECT 'posting', id, status FROM posting WHERE id = ANY (%(postings)s::uuid[]) AND finished_at IS NOT NULL
