-- The extensions of this category and name that a room sees, its own first, then global, builtin and functions.
SELECT id, scope, room, category, name, schema, schema_hash, concurrency, timeout_seconds, tries, backoff_base, backoff_cap,
       on_worker_lost::text, priority, breaker_failures, breaker_seconds, paused, resources, owner_id
FROM extension
WHERE category = %(category)s AND name = %(name)s AND removed_at IS NULL
  AND (room IS NULL OR room = %(room)s) AND (%(scope)s::text IS NULL OR scope = %(scope)s)
ORDER BY array_position(ARRAY['room', 'global', 'builtin', 'function'], scope)
LIMIT 1
