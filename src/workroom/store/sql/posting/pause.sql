-- Pause a posting: its waiting jobs are parked, those at workers go on. Jobs with a start time of their own are parked by the
-- scheduler when it comes, and released ones by whoever releases them.
WITH paused AS (
    UPDATE posting SET status = 'paused' WHERE id = %(id)s AND status = 'executing' RETURNING id
), waiting AS MATERIALIZED (
    SELECT job.id FROM paused JOIN job ON job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = paused.id
    WHERE job.state IN ('blocked', 'pending') AND job.run_at IS NULL
    FOR UPDATE OF job SKIP LOCKED
), parked AS (
    UPDATE job SET run_at = 'infinity' FROM waiting
    WHERE job.id = waiting.id AND job.state IN ('blocked', 'pending') AND job.run_at IS NULL
    RETURNING job.id
)
SELECT (SELECT count(*) FROM parked) FROM paused
