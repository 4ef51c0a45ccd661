-- The database's clock; how many live workers run posted functions, and how many built-in extensions; calls that wait.
SELECT extract(epoch FROM clock_timestamp())::float8,
       count(*) FILTER (WHERE kind IN ('pool', 'celery') OR offers.functions),
       count(*) FILTER (WHERE offers.built_in),
       (SELECT coalesce(sum(pending), 0)::bigint FROM job_count JOIN extension ON extension.id = extension_id
        WHERE scope = 'function')
FROM worker
CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(scope = 'function'), false) AS functions,
           coalesce(bool_or(scope = 'builtin'), false) AS built_in
    FROM offer JOIN extension ON extension.id = extension_id
    WHERE worker_id = worker.id
) AS offers
WHERE ended_at IS NULL AND lease_until > now()
