-- Each queue with waiting or running jobs, the fullest first: its counts, and the job that waits longest among the first hundred
-- in line of each priority. Reading all waiting jobs would take long when there are a million.
SELECT extension.scope, extension.room, extension.category, extension.name, queue.pending, queue.active, oldest.id
FROM (
    SELECT extension_id, sum(pending)::bigint AS pending, sum(active)::bigint AS active FROM job_count GROUP BY extension_id
) AS queue
JOIN extension ON extension.id = queue.extension_id
LEFT JOIN LATERAL (
    SELECT head.id
    FROM generate_series(0, 10) AS level (priority)
    CROSS JOIN LATERAL (
        SELECT job.id FROM job
        WHERE job.state = 'pending' AND job.run_at IS NULL AND job.extension_id = queue.extension_id
          AND job.priority = level.priority
        ORDER BY job.turn, job.id LIMIT 100
    ) AS head
    ORDER BY head.id LIMIT 1
) AS oldest ON queue.pending > 0
WHERE queue.pending > 0 OR queue.active > 0
ORDER BY queue.pending + queue.active DESC, extension.id
