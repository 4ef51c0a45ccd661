-- How many jobs of `extension` the `worker` may hold at once. An open breaker (`offer`) allows none, then one probe at a time.
CASE WHEN offer.opened_at + extension.breaker_seconds * interval '1 second' > now() THEN 0
     WHEN offer.opened_at IS NOT NULL THEN 1
     ELSE coalesce(extension.concurrency, worker.capacity) END
