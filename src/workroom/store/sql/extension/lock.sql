-- The extension with this identity, its row locked: serialises registering, removing and submitting. Also its owner, and the names
-- of those settings that differ from the given ones.
SELECT id, schema_hash, removed_at IS NOT NULL, owner_id, (SELECT account.name FROM account WHERE account.id = owner_id),
       array_remove(ARRAY[
           CASE WHEN NOT adjusted AND concurrency IS DISTINCT FROM %(concurrency)s::integer THEN 'concurrency' END,
           CASE WHEN timeout_seconds IS DISTINCT FROM %(timeout_seconds)s::real THEN 'timeoutSeconds' END,
           CASE WHEN tries <> %(tries)s::smallint THEN 'tries' END,
           CASE WHEN backoff_base <> %(backoff_base)s::real THEN 'backoffBase' END,
           CASE WHEN backoff_cap <> %(backoff_cap)s::real THEN 'backoffCap' END,
           CASE WHEN on_worker_lost <> %(on_worker_lost)s::on_worker_lost THEN 'onWorkerLost' END,
           CASE WHEN NOT adjusted AND priority <> %(priority)s::smallint THEN 'priority' END,
           CASE WHEN breaker_failures <> %(breaker_failures)s::integer THEN 'breakerFailures' END,
           CASE WHEN breaker_seconds <> %(breaker_seconds)s::real THEN 'breakerSeconds' END,
           CASE WHEN resources IS DISTINCT FROM %(resources)s::jsonb THEN 'resources' END
       ], NULL)
FROM extension
WHERE scope = %(scope)s AND room IS NOT DISTINCT FROM %(room)s AND category = %(category)s AND name = %(name)s
FOR UPDATE OF extension
