-- Queue the held jobs of a posting again; returns how many. They take turns from the one now being served, so that they pass no job
-- that was queued meanwhile; a job with an earlier attempt keeps its turn.
WITH held AS MATERIALIZED (
    SELECT job.id, job.turn, job.state = 'pending' AND job.attempt = 0 AS fresh
    FROM job
    WHERE job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = %(id)s
      AND job.state IN ('blocked', 'pending') AND job.run_at = 'infinity'
    FOR UPDATE OF job
), placed AS MATERIALIZED (
    SELECT id, fresh, row_number() OVER (PARTITION BY fresh ORDER BY turn, id) - 1 AS nth FROM held
), serving AS MATERIALIZED (
    SELECT coalesce(
        (SELECT turn FROM job
         WHERE job.extension_id = %(extension_id)s AND job.priority = %(priority)s
           AND job.state = 'pending' AND job.run_at IS NULL AND job.attempt = 0
         ORDER BY turn, id LIMIT 1),
        (SELECT max(last_turn) FROM fair_turn AS f WHERE f.extension_id = %(extension_id)s AND f.priority = %(priority)s),
        0) AS turn
), moved AS (
    UPDATE job SET run_at = NULL, turn = CASE WHEN placed.fresh THEN greatest(job.turn, serving.turn + placed.nth) ELSE job.turn END
    FROM placed CROSS JOIN serving
    WHERE job.id = placed.id
    RETURNING job.turn, placed.fresh
), taken AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT %(extension_id)s, %(priority)s, %(submitter)s, moved.turn
    FROM (SELECT max(turn) AS turn FROM moved WHERE fresh) AS moved WHERE moved.turn IS NOT NULL
    ON CONFLICT (extension_id, priority, submitter) DO UPDATE SET last_turn = greatest(f.last_turn, excluded.last_turn), used_at = now()
)
SELECT count(*) FROM moved
