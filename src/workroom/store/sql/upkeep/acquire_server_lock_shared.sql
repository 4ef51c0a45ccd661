-- Try to share the lock of the servers with other replicas; held until the session ends.
SELECT pg_try_advisory_lock_shared(7733, 2)
