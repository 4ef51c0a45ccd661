-- Hold the waiting jobs of a paused posting; returns how many. Jobs at workers are released by their workers. A transaction that has
-- locked a job holds that job itself (SKIP LOCKED). The scheduler holds jobs with a later start time when it comes.
WITH waiting AS MATERIALIZED (
    SELECT job.id FROM job
    WHERE job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = %(id)s
      AND job.state IN ('blocked', 'pending') AND job.run_at IS NULL
    FOR UPDATE OF job SKIP LOCKED
), held AS (
    UPDATE job SET run_at = 'infinity' FROM waiting
    WHERE job.id = waiting.id AND job.state IN ('blocked', 'pending') AND job.run_at IS NULL
    RETURNING job.id
)
SELECT count(*) FROM held
