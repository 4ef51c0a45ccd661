-- How many jobs of `extension` the `worker` may hold at once. An open breaker (`offer`) allows none, then one probe at a time; its
-- state is asked for only after failures. A worker gets no job whose time-out it would not live to see, and none whose resources it has not.
CASE WHEN offer.opened_at IS NOT NULL AND breaker_state(offer.opened_at, extension.breaker_seconds, offer.failed_for, extension.id) = 'open' THEN 0
     WHEN worker.ends_at < now() + coalesce(extension.timeout_seconds, 0) * interval '1 second' THEN 0
     ELSE least(
         CASE WHEN offer.opened_at IS NULL OR breaker_state(offer.opened_at, extension.breaker_seconds, offer.failed_for, extension.id) = 'closed'
              THEN coalesce(extension.concurrency, worker.capacity) ELSE 1 END,
         CASE WHEN extension.resources IS NOT NULL THEN slots_by_resources(
             worker.id, worker.kind, worker.capacity, worker.resources, extension.id, extension.resources) END) END
