-- Seconds until the next start time; no row when nothing is scheduled.
SELECT extract(epoch FROM run_at - clock_timestamp())::float8 FROM job
WHERE state = 'pending' AND run_at IS NOT NULL AND run_at < 'infinity'
ORDER BY run_at LIMIT 1
