-- End workers whose lease has ended, and remote ones that disconnected and did not reconnect in time: other workers write their
-- heartbeats to the database, also while no server runs. The clock is read once: a machine that
-- sleeps within the statement must not compare a time before its sleep with one after it.
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
UPDATE worker SET ended_at = clock.now, end_reason = 'lost', attached = false
FROM clock CROSS JOIN heartbeat_window AS heartbeats
WHERE worker.ended_at IS NULL AND worker.kind = ANY (%(kinds)s::text[]) AND heartbeats.kind = worker.kind AND
      --< fragments/heartbeats_arrive
  AND (worker.lease_until < clock.now
       OR (worker.kind = 'remote' AND NOT worker.attached AND worker.detached_at < clock.now - %(grace_seconds)s * interval '1 second'))
RETURNING worker.id
