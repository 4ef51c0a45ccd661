-- Insert or update an extension. A different schema is accepted only while no other worker offers the old one or holds a job of it,
-- and with jobs that wait only from an account that may cancel them. The extension stays its first owner's, unless it was removed or
-- gets another schema. Returns the schema that now holds.
INSERT INTO extension AS e (scope, room, category, name, schema, schema_hash, concurrency, timeout_seconds, tries, backoff_base,
                            backoff_cap, on_worker_lost, priority, breaker_failures, breaker_seconds, resources, owner_id)
VALUES (%(scope)s, %(room)s, %(category)s, %(name)s, %(schema)s::json, %(schema_hash)s, %(concurrency)s, %(timeout_seconds)s,
        %(tries)s, %(backoff_base)s, %(backoff_cap)s, %(on_worker_lost)s::on_worker_lost, %(priority)s, %(breaker_failures)s,
        %(breaker_seconds)s, %(resources)s::jsonb, %(owner_id)s)
ON CONFLICT ON CONSTRAINT extension_is_one DO UPDATE SET
    schema = excluded.schema, schema_hash = excluded.schema_hash, concurrency = CASE WHEN e.adjusted THEN e.concurrency ELSE excluded.concurrency END,
    timeout_seconds = excluded.timeout_seconds, tries = excluded.tries, backoff_base = excluded.backoff_base,
    backoff_cap = excluded.backoff_cap, on_worker_lost = excluded.on_worker_lost, priority = CASE WHEN e.adjusted THEN e.priority ELSE excluded.priority END,
    breaker_failures = excluded.breaker_failures, breaker_seconds = excluded.breaker_seconds, resources = excluded.resources, updated_at = now(), removed_at = NULL,
    offline_since = CASE WHEN %(worker_id)s::uuid IS NULL THEN e.offline_since END,
    owner_id = CASE WHEN e.removed_at IS NULL AND e.schema_hash = excluded.schema_hash THEN e.owner_id ELSE excluded.owner_id END
WHERE e.schema_hash = excluded.schema_hash OR e.removed_at IS NOT NULL OR NOT (
    EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id AND worker.ended_at IS NULL
            WHERE offer.extension_id = e.id AND offer.worker_id IS DISTINCT FROM %(worker_id)s)
    OR (SELECT coalesce(sum(active), 0) > 0 FROM job_count WHERE job_count.extension_id = e.id)
    OR NOT %(cancels)s AND (
        EXISTS (SELECT FROM job WHERE job.extension_id = e.id AND job.state = 'pending' AND job.run_at IS NULL)
        OR (SELECT coalesce(sum(blocked + pending), 0) > 0 FROM job_count WHERE job_count.extension_id = e.id)))
RETURNING id, schema_hash, xmax = 0 AS created
