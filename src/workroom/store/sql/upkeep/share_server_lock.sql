-- Share the lock of the servers, which this session holds alone, with replicas.
SELECT pg_advisory_lock_shared(7733, 2), pg_advisory_unlock(7733, 2)
