-- End workers whose lease has ended, or that disconnected and did not reconnect in time.
UPDATE worker SET ended_at = clock_timestamp(), end_reason = 'lost', attached = false
WHERE ended_at IS NULL
  AND (lease_until < clock_timestamp()
       OR (NOT attached AND detached_at < clock_timestamp() - %(grace_seconds)s * interval '1 second'))
RETURNING id
