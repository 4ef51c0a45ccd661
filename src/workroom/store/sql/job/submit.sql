-- Queue one job at its fair turn. No row when its idempotency key was used before, when the extension or the room was removed (the
-- row locks serialise submitting and removing), when the extension has another schema than the arguments were checked against, or
-- when the cached access of the submitter has changed.
WITH here AS (
    --< fragments/access_unchanged
    FOR KEY SHARE
), line AS (
    SELECT FROM extension
    WHERE id = %(extension_id)s AND removed_at IS NULL AND schema_hash = %(schema_hash)s
      AND (%(room)s::text IS NULL OR EXISTS (SELECT FROM here))
      -- A repeated submission takes no turn.
      AND (%(idempotency_key)s::text IS NULL OR NOT EXISTS (
          SELECT FROM job
          WHERE submitter = %(submitter)s AND extension_id = %(extension_id)s AND idempotency_key = %(idempotency_key)s))
    FOR KEY SHARE
), place AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT %(extension_id)s, %(priority)s, %(submitter)s,
        --< fragments/current_turn
    FROM line
    ON CONFLICT (extension_id, priority, submitter)
        DO UPDATE SET last_turn = greatest(f.last_turn + 1, excluded.last_turn), used_at = now()
    RETURNING last_turn
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, unmet_dependencies, submitter, retry_of, run_at, room,
                     idempotency_key, arguments)
    SELECT %(id)s, %(extension_id)s, %(priority)s, %(tries)s, place.last_turn,
           CASE WHEN %(unmet_dependencies)s::integer > 0 THEN 'blocked' ELSE 'pending' END::job_state,
           %(on_worker_lost)s::on_worker_lost, %(unmet_dependencies)s::integer, %(submitter)s, %(retry_of)s,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           %(room)s, %(idempotency_key)s, %(arguments)s::jsonb
    FROM place
    ON CONFLICT (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id, extension_id, state, created_at
), count_change AS (
    SELECT extension_id, (state = 'blocked')::integer AS blocked, (state = 'pending')::integer AS pending, 0 AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM submitted
), counted AS (
    --< fragments/add_job_counts
)
SELECT id, state::text, created_at FROM submitted
