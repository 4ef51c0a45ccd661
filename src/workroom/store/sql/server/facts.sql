-- The server processes, which hold the lock of their number; the upkeep leaders, none or one; the bytes of the database.
SELECT count(*) FILTER (WHERE classid = 7734), count(*) FILTER (WHERE classid = 7733 AND objid = 1),
       pg_database_size(current_database())
FROM pg_locks
WHERE locktype = 'advisory' AND granted AND classid IN (7733, 7734)
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
