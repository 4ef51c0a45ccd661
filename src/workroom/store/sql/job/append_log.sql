-- Append log lines of a job. Only the current attempt may write, and only the last lines are kept.
WITH mine AS (
    SELECT job.id, job.attempt, coalesce((SELECT max(line) FROM job_log WHERE job_id = job.id), 0) AS last
    FROM job
    WHERE job.id = %(id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s AND job.state IN ('assigned', 'running')
    FOR UPDATE
), written AS (
    INSERT INTO job_log (job_id, line, attempt, text)
    SELECT mine.id, mine.last + said.n, mine.attempt, said.text
    FROM mine CROSS JOIN unnest(%(lines)s::text[]) WITH ORDINALITY AS said (text, n)
    RETURNING line
), trimmed AS (
    DELETE FROM job_log USING mine
    WHERE job_log.job_id = mine.id AND job_log.line <= mine.last + cardinality(%(lines)s::text[]) - %(keep)s
)
SELECT mine.last + 1 FROM mine
