-- After a server start: no heartbeat could arrive while it was down, so every worker gets one whole lease.
UPDATE worker SET lease_until = greatest(lease_until, clock_timestamp() + %(lease_seconds)s * interval '1 second'),
                  attached = attached AND kind <> 'remote',
                  detached_at = CASE WHEN kind = 'remote' THEN clock_timestamp() + (%(lease_seconds)s - %(grace_seconds)s) * interval '1 second' END
WHERE ended_at IS NULL
