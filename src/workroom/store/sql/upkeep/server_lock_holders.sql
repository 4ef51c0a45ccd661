-- The other sessions that hold the lock of the servers: their names, and since when they exist.
SELECT pg_stat_activity.application_name, pg_stat_activity.backend_start
FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE pg_locks.locktype = 'advisory' AND pg_locks.classid = 7733 AND pg_locks.objid = 2 AND pg_locks.granted
  AND pg_stat_activity.datname = current_database() AND pg_locks.pid <> pg_backend_pid()
ORDER BY pg_stat_activity.backend_start
