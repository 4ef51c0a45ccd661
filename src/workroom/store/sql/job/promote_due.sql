-- Queue jobs whose start time has come. A job with an earlier attempt keeps its turn. The others take their submitters' next turns
-- from the one now being served, so that a thousand jobs that come due at once do not pass all others. A job of a paused posting
-- is held instead.
WITH due AS MATERIALIZED (
    SELECT id, extension_id, priority, submitter, turn, attempt, posting_id FROM job
    WHERE state = 'pending' AND run_at <= clock_timestamp()
    ORDER BY run_at LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
), held AS MATERIALIZED (
    -- The lock serialises this with a pause: no job of a paused posting is queued.
    SELECT id, status FROM posting WHERE id IN (SELECT posting_id FROM due) ORDER BY id FOR SHARE
), fresh AS MATERIALIZED (
    SELECT id, extension_id, priority,
           row_number() OVER (PARTITION BY extension_id, priority, submitter ORDER BY turn, id) - 1 AS nth
    FROM due WHERE attempt = 0
), serving AS MATERIALIZED (
    --< fragments/current_turns
    FROM (SELECT DISTINCT extension_id, priority FROM fresh) AS line
), moved AS (
    UPDATE job SET run_at = CASE WHEN held.status = 'paused' THEN 'infinity'::timestamptz END,
                   turn = greatest(job.turn, serving.turn + fresh.nth)
    FROM due LEFT JOIN fresh USING (id) LEFT JOIN serving
        ON serving.extension_id = fresh.extension_id AND serving.priority = fresh.priority
    LEFT JOIN held ON held.id = due.posting_id
    WHERE job.id = due.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents,
              job.priority, job.submitter, job.turn, job.run_at
), taken AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT extension_id, priority, submitter, max(turn) FROM moved WHERE attempt = 0 AND run_at IS NULL GROUP BY extension_id, priority, submitter
    ON CONFLICT (extension_id, priority, submitter) DO UPDATE SET last_turn = greatest(f.last_turn, excluded.last_turn), used_at = now()
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved WHERE run_at IS NULL
