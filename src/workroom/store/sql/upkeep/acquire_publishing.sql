-- Try to take the lock of the process that publishes jobs to the broker; held until the session ends.
SELECT pg_try_advisory_lock(7733, 3)
