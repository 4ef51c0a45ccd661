-- Take the lock of a server's number; held until the session ends.
SELECT pg_advisory_lock(7734, %(number)s)
