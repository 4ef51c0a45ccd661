-- What these waiting jobs wait for: their states, and the workers that offer their extensions. Workers are counted once for each extension.
WITH asked AS MATERIALIZED (
    SELECT job.id, job.extension_id, job.state::text AS state, job.run_at IS NOT NULL AS start_is_later,
           coalesce(posting.status = 'paused', false) AS paused
    FROM job LEFT JOIN posting ON posting.id = job.posting_id
    WHERE job.id = ANY (%(ids)s::uuid[]) AND job.state IN ('pending', 'blocked')
), offered AS MATERIALIZED (
    SELECT extension.id, extension.paused, extension.name, extension.resources, extension.timeout_seconds,
           extension.scope, extension.offline_since, account.name AS offered_by, workers_of.*
    FROM extension LEFT JOIN account ON account.id = extension.offered_by
    CROSS JOIN LATERAL (
        SELECT
        --< fragments/worker_counts
        FROM offer JOIN worker ON worker.id = offer.worker_id AND
            --< fragments/worker_available
        WHERE offer.extension_id = extension.id
    ) AS workers_of
    WHERE extension.id IN (SELECT asked.extension_id FROM asked)
)
SELECT asked.id, offered.paused OR asked.paused AS paused, asked.state, asked.start_is_later,
       offered.workers, offered.closed, offered.equipped, offered.lasting,
       offered.name, offered.resources, offered.timeout_seconds::float8, offered.scope, offered.offline_since, offered.offered_by
FROM asked JOIN offered ON offered.id = asked.extension_id
