-- The database's clock, and how many processes for posted functions are alive.
SELECT extract(epoch FROM clock_timestamp())::float8,
       (SELECT count(*) FROM worker WHERE kind IN ('pool', 'celery') AND ended_at IS NULL AND lease_until > now())
