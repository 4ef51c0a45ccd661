-- A server starts: no remote worker is connected to it yet.
UPDATE worker SET attached = false, detached_at = coalesce(detached_at, clock_timestamp())
WHERE kind = 'remote' AND ended_at IS NULL
