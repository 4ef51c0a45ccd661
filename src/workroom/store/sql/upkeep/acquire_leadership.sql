-- Try to take the lock of the upkeep leader; held until the session ends.
SELECT pg_try_advisory_lock(7733, 1)
