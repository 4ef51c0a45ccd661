-- One extension.
SELECT id, scope, room, category, name, schema, schema_hash, concurrency, timeout_seconds, tries, backoff_base, backoff_cap,
       on_worker_lost::text, priority, breaker_failures, breaker_seconds, paused, resources, owner_id
FROM extension WHERE id = %(id)s
