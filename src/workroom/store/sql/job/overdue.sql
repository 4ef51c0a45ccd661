-- Running jobs that exceeded their timeout by more than the grace: their workers should have stopped them.
SELECT job.id, job.worker_id, job.attempt, job.room, coalesce(posting.timeout_seconds, extension.timeout_seconds)::float8
FROM (SELECT clock_timestamp() AS now) AS clock
-- While heartbeats cannot arrive, the report of a job that ended in time cannot arrive either.
JOIN heartbeat_window AS heartbeats ON heartbeats.kind = ANY (%(kinds)s::text[]) AND
     --< fragments/heartbeats_arrive
JOIN worker ON worker.kind = heartbeats.kind AND worker.ended_at IS NULL
JOIN job ON job.worker_id = worker.id AND job.state IN ('assigned', 'running')
JOIN extension ON extension.id = job.extension_id
LEFT JOIN posting ON posting.id = job.posting_id
WHERE job.state = 'running'
  AND job.started_at + (coalesce(posting.timeout_seconds, extension.timeout_seconds) + %(grace_seconds)s) * interval '1 second' < clock.now
LIMIT 1000
