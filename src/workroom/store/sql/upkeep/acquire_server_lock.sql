-- Try to take the lock of the servers alone; held until the session ends.
SELECT pg_try_advisory_lock(7733, 2)
