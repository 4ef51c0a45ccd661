-- What a job needs and what needs it, directly and through other jobs: one row for each dependency, at most `limit`, the nearest first.
-- The rows of `dependency` stay when a dependency has ended.
WITH RECURSIVE needed (job_id, needs_job, needs_posting, ended_at, distance) AS (
    SELECT job_id, needs_job, needs_posting, ended_at, 1 FROM dependency WHERE job_id = %(id)s
    UNION
    SELECT dependency.job_id, dependency.needs_job, dependency.needs_posting, dependency.ended_at, needed.distance + 1
    FROM needed JOIN dependency ON dependency.job_id = needed.needs_job
    WHERE needed.distance < %(distance)s
), dependent (job_id, needs_job, needs_posting, ended_at, distance) AS (
    (SELECT job_id, needs_job, needs_posting, ended_at, 1 FROM dependency
     WHERE needs_job = %(id)s OR needs_posting = %(posting_id)s LIMIT %(limit)s)
    UNION
    SELECT dependency.job_id, dependency.needs_job, dependency.needs_posting, dependency.ended_at, dependent.distance + 1
    FROM dependent JOIN dependency ON dependency.needs_job = dependent.job_id
    WHERE dependent.distance < %(distance)s
)
SELECT job_id, coalesce(needs_job, needs_posting), ended_at
FROM ((SELECT * FROM needed LIMIT %(limit)s) UNION (SELECT * FROM dependent LIMIT %(limit)s)) AS found
ORDER BY distance, job_id LIMIT %(limit)s
