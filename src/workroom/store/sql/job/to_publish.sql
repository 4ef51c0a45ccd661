-- The next waiting jobs of these extensions that have no message in the broker: the most urgent first, the extensions in turn among
-- jobs of one priority, and within an extension in the order of its queue.
SELECT waiting.id, waiting.attempt + 1, extension.scope = 'function', extension.category, extension.name
FROM extension CROSS JOIN LATERAL (
    SELECT queued.id, queued.attempt, queued.priority,
           row_number() OVER (PARTITION BY queued.priority ORDER BY queued.turn, queued.id) AS place
    FROM (
        SELECT job.id, job.attempt, job.priority, job.turn FROM job
        WHERE job.extension_id = extension.id AND job.state = 'pending' AND job.run_at IS NULL
          AND job.id <> ALL (%(published)s::uuid[])
        ORDER BY job.extension_id, job.priority DESC, job.turn, job.id
        LIMIT %(limit)s
    ) AS queued
) AS waiting
WHERE extension.id = ANY (%(extension_ids)s::integer[]) AND NOT extension.paused
ORDER BY waiting.priority DESC, waiting.place, extension.id
LIMIT %(limit)s
