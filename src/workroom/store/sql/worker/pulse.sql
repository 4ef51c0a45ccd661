-- The database's clock, and how many pool processes are alive.
SELECT extract(epoch FROM clock_timestamp())::float8,
       (SELECT count(*) FROM worker WHERE kind = 'pool' AND ended_at IS NULL AND lease_until > now())
