-- Queue one job at its fair place. No row comes back when its idempotency key was used before, or when the extension has just
-- been removed: the lock on its row makes submitting and removing take turns.
WITH line AS (
    SELECT id FROM extension WHERE id = %(extension_id)s AND removed_at IS NULL FOR KEY SHARE
), place AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT %(extension_id)s, %(priority)s, %(submitter)s, coalesce(
        (SELECT turn FROM job
         WHERE extension_id = %(extension_id)s AND priority = %(priority)s
           AND state = 'pending' AND run_at IS NULL AND attempt = 0
         ORDER BY turn, id LIMIT 1),
        (SELECT max(last_turn) FROM fair_turn WHERE extension_id = %(extension_id)s AND priority = %(priority)s),
        0)
    FROM line
    ON CONFLICT (extension_id, priority, submitter)
        DO UPDATE SET last_turn = greatest(f.last_turn + 1, excluded.last_turn)
    RETURNING last_turn
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, unmet, submitter, retry_of,
                     run_at, room, idempotency_key, arguments)
    SELECT %(id)s, %(extension_id)s, %(priority)s, %(tries)s, place.last_turn,
           CASE WHEN %(unmet)s::integer > 0 THEN 'blocked' ELSE 'pending' END::job_state,
           %(on_worker_lost)s::on_worker_lost, %(unmet)s::integer, %(submitter)s, %(retry_of)s,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           %(room)s, %(idempotency_key)s, %(arguments)s::jsonb
    FROM place
    ON CONFLICT (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id, extension_id, state, created_at
), tallied AS (
    INSERT INTO tally AS t (extension_id, shard, blocked, pending)
    SELECT extension_id, pg_backend_pid(), (state = 'blocked')::integer, (state = 'pending')::integer FROM submitted
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending
)
SELECT id, state::text, created_at FROM submitted
