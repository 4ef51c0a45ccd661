-- No longer share the lock of the servers: replicas without Redis accept only those of their own command.
SELECT pg_advisory_unlock_shared(7733, 2)
