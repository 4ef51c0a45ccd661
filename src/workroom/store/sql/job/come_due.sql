-- Let jobs whose start time has come join the queue. A job that has not been tried yet joins at the turn now being served.
WITH due AS MATERIALIZED (
    SELECT id, extension_id, priority FROM job
    WHERE state = 'pending' AND run_at <= clock_timestamp()
    ORDER BY run_at LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
), serving AS (
    SELECT line.extension_id, line.priority, head.turn
    FROM (SELECT DISTINCT extension_id, priority FROM due) AS line
    CROSS JOIN LATERAL (
        SELECT job.turn FROM job
        WHERE job.extension_id = line.extension_id AND job.priority = line.priority
          AND job.state = 'pending' AND job.run_at IS NULL AND job.attempt = 0
        ORDER BY job.turn, job.id LIMIT 1
    ) AS head
)
UPDATE job SET run_at = NULL, turn = CASE WHEN job.attempt = 0 THEN greatest(job.turn, coalesce(serving.turn, 0)) ELSE job.turn END
FROM due LEFT JOIN serving USING (extension_id, priority)
WHERE job.id = due.id
RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state::text, job.awaited
