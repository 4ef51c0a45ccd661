-- The last job that a list with these filters compares; none when it compares all that the indexes find.
SELECT job.id
FROM job --? any_state
FROM (SELECT job.* FROM job WHERE job.state IN ('assigned', 'running') OFFSET 0) AS job --? active
WHERE true
--< fragments/found_jobs
ORDER BY job.id DESC --? newest
ORDER BY job.id --? oldest
LIMIT 1 OFFSET %(examined)s - 1
