-- The extensions and functions of which jobs wait that a worker of this account, started for this room, could run: their jobs,
-- counted up to a bound, with what they need. Built-in extensions are left out: the server has a pool for them.
SELECT extension.scope, extension.category, extension.name, extension.resources, extension.timeout_seconds::float8, waiting.jobs
FROM extension
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs FROM (
        SELECT FROM job
        WHERE job.extension_id = extension.id AND job.state = 'pending' AND job.run_at IS NULL
          -- The same condition as in `claim`.
          AND (extension.scope <> 'function' OR %(is_admin)s
               OR job.room = %(room)s OR (job.submitter = %(account_id)s AND (job.posting_id IS NULL
                   OR (SELECT posting.posted_by FROM posting WHERE posting.id = job.posting_id) = %(account_id)s)))
        LIMIT %(bound)s
    ) AS counted
) AS waiting
WHERE extension.removed_at IS NULL AND NOT extension.paused AND waiting.jobs > 0
  AND (extension.room = %(room)s OR extension.scope = 'function' OR (extension.scope = 'global' AND %(is_admin)s))
ORDER BY extension.category, extension.name
