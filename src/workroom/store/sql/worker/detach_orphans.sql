-- Detach the workers with a socket whose server no longer runs: it does not hold the lock of its number. With `without_server` also
-- the remote ones that no server has ever attached. A Celery worker of functions never has a server.
WITH running AS MATERIALIZED (
    SELECT pg_locks.objid::bigint AS number FROM pg_locks
    WHERE pg_locks.locktype = 'advisory' AND pg_locks.classid = 7734 AND pg_locks.granted
      AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
UPDATE worker SET attached = false, detached_at = coalesce(detached_at, clock_timestamp())
WHERE kind IN ('remote', 'celery') AND ended_at IS NULL
  AND CASE WHEN server IS NULL THEN kind = 'remote' AND %(without_server)s
           ELSE attached AND server::bigint NOT IN (SELECT number FROM running) END
RETURNING id
