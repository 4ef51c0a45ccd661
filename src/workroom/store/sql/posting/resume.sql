-- Go on with a paused posting: its parked jobs take the next turns from the one now being served, so that they pass nobody who
-- came meanwhile; a job tried before keeps its place.
WITH resumed AS (
    UPDATE posting SET status = 'executing' WHERE id = %(id)s AND status = 'paused'
    RETURNING id, extension_id, priority, submitter
), parked AS MATERIALIZED (
    SELECT job.id, job.turn, job.state = 'pending' AND job.attempt = 0 AS fresh
    FROM resumed JOIN job ON job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = resumed.id
    WHERE job.state IN ('blocked', 'pending') AND job.run_at = 'infinity'
    FOR UPDATE OF job
), placed AS MATERIALIZED (
    SELECT id, fresh, row_number() OVER (PARTITION BY fresh ORDER BY turn, id) - 1 AS nth FROM parked
), serving AS MATERIALIZED (
    SELECT coalesce(
        (SELECT turn FROM job
         WHERE job.extension_id = resumed.extension_id AND job.priority = resumed.priority
           AND job.state = 'pending' AND job.run_at IS NULL AND job.attempt = 0
         ORDER BY turn, id LIMIT 1),
        (SELECT max(last_turn) FROM fair_turn AS f WHERE f.extension_id = resumed.extension_id AND f.priority = resumed.priority),
        0) AS turn
    FROM resumed
), moved AS (
    UPDATE job SET run_at = NULL, turn = CASE WHEN placed.fresh THEN greatest(job.turn, serving.turn + placed.nth) ELSE job.turn END
    FROM placed CROSS JOIN serving
    WHERE job.id = placed.id
    RETURNING job.turn, placed.fresh
), taken AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT resumed.extension_id, resumed.priority, resumed.submitter, moved.turn
    FROM resumed CROSS JOIN (SELECT max(turn) AS turn FROM moved WHERE fresh) AS moved WHERE moved.turn IS NOT NULL
    ON CONFLICT (extension_id, priority, submitter) DO UPDATE SET last_turn = greatest(f.last_turn, excluded.last_turn)
)
SELECT extension_id, (SELECT count(*) FROM moved) FROM resumed
