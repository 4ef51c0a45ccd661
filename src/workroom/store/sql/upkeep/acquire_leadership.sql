-- Become the one who does upkeep, unless somebody else is; held until the session ends.
SELECT pg_try_advisory_lock(7733, 1)
