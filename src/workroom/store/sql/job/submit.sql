-- Queue one job at its fair place; when nobody waits and a remote worker is idle, it is assigned at once. No row comes back when
-- its idempotency key was used before, or when the extension or the room has just been removed: the locks on their rows make
-- submitting and removing take turns. Nor when the extension has another schema by now than the arguments were checked against,
-- or when the submitter, last seen a moment ago, is no longer who they were in the room.
WITH here AS (
    SELECT FROM room
    WHERE name = %(room)s AND (%(epoch)s::integer IS NULL OR EXISTS (
        SELECT FROM account
        LEFT JOIN room_member AS member ON member.room = room.name AND member.account_id = account.id
        WHERE account.id = %(submitter)s AND account.token_epoch = %(epoch)s AND account.disabled_at IS NULL
          AND account.role = %(role)s AND room.visibility = %(visibility)s AND room.locked = %(locked)s
          AND (room.owner_id = account.id) IS NOT DISTINCT FROM %(owned)s::boolean
          AND member.rights IS NOT DISTINCT FROM %(member_rights)s::text))
    FOR KEY SHARE
), line AS (
    SELECT id, scope, paused, concurrency, breaker_seconds FROM extension
    WHERE id = %(extension_id)s AND removed_at IS NULL AND schema_hash = %(schema_hash)s
      AND (%(room)s::text IS NULL OR EXISTS (SELECT FROM here))
      -- A repetition takes no turn away from its submitter.
      AND (%(idempotency_key)s::text IS NULL OR NOT EXISTS (
          SELECT FROM job
          WHERE submitter = %(submitter)s AND extension_id = %(extension_id)s AND idempotency_key = %(idempotency_key)s))
    FOR KEY SHARE
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
), idle AS MATERIALIZED (
    SELECT worker.id FROM line
    JOIN offer ON offer.extension_id = line.id
    JOIN worker ON worker.id = offer.worker_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs, count(*) FILTER (WHERE job.extension_id = line.id) AS jobs_of_it FROM job
        WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')
    ) AS held
    WHERE %(unmet)s::integer = 0 AND coalesce(%(run_at)s::timestamptz <= now(), true) AND NOT line.paused AND line.scope <> 'function'
      AND worker.kind = 'remote' AND worker.attached AND worker.gone_at IS NULL AND NOT worker.draining
      -- An open breaker lets nothing through, then one probe at a time.
      AND held.jobs < worker.capacity AND held.jobs_of_it < CASE
          WHEN offer.opened_at + line.breaker_seconds * interval '1 second' > now() THEN 0
          WHEN offer.opened_at IS NOT NULL THEN 1
          ELSE coalesce(line.concurrency, worker.capacity) END
      -- Who has just been served by somebody else may hold more than was counted here.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = worker.id)
      AND NOT EXISTS (
          SELECT FROM job WHERE job.extension_id = %(extension_id)s AND job.state = 'pending' AND job.run_at IS NULL)
    ORDER BY worker.served_at NULLS FIRST, worker.id
    LIMIT 1
    FOR NO KEY UPDATE OF worker SKIP LOCKED
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, unmet, submitter, worker_id, retry_of,
                     run_at, assigned_at, room, idempotency_key, arguments)
    SELECT %(id)s, %(extension_id)s, %(priority)s, %(tries)s, place.last_turn,
           CASE WHEN %(unmet)s::integer > 0 THEN 'blocked' WHEN idle.id IS NOT NULL THEN 'assigned' ELSE 'pending' END::job_state,
           %(on_worker_lost)s::on_worker_lost, (idle.id IS NOT NULL)::integer, %(unmet)s::integer, %(submitter)s, idle.id, %(retry_of)s,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           CASE WHEN idle.id IS NOT NULL THEN clock_timestamp() END,
           %(room)s, %(idempotency_key)s, %(arguments)s::jsonb
    FROM place LEFT JOIN idle ON true
    ON CONFLICT (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id, extension_id, state, worker_id, created_at, assigned_at
), tallied AS (
    INSERT INTO tally AS t (extension_id, shard, blocked, pending, active)
    SELECT extension_id, pg_backend_pid(), (state = 'blocked')::integer, (state = 'pending')::integer, (state = 'assigned')::integer
    FROM submitted
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending, active = t.active + excluded.active
), served AS (
    UPDATE offer SET served_at = clock_timestamp() FROM submitted
    WHERE offer.worker_id = submitted.worker_id AND offer.extension_id = submitted.extension_id
), noted AS (
    UPDATE worker SET served_at = clock_timestamp() FROM submitted WHERE worker.id = submitted.worker_id
)
SELECT id, state::text, created_at, worker_id, assigned_at FROM submitted
