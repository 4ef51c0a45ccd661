-- Jobs and postings have completed: end the dependencies on them, and queue jobs that have none left. These take turns from the
-- one now being served: older turns would let their submitters pass the others.
WITH met AS (
    UPDATE dependency SET ended_at = clock_timestamp()
    WHERE (needs_job = ANY (%(jobs)s::uuid[]) OR needs_posting = ANY (%(postings)s::uuid[])) AND ended_at IS NULL
    RETURNING job_id
), locked AS MATERIALIZED (
    SELECT job.id, job.posting_id FROM job WHERE job.id = ANY (ARRAY(SELECT job_id FROM met)) FOR UPDATE
), held AS MATERIALIZED (
    -- The lock serialises this with a pause: no job of a paused posting is queued.
    SELECT id, status FROM posting WHERE id IN (SELECT posting_id FROM locked) ORDER BY id FOR SHARE
), fewer AS MATERIALIZED (
    SELECT met.job_id, met.n, job.posting_id, job.extension_id, job.priority,
           row_number() OVER (PARTITION BY job.extension_id, job.priority, job.submitter, job.unmet_dependencies = met.n
                              ORDER BY job.turn, job.id) - 1 AS nth
    FROM (SELECT job_id, count(*)::integer AS n FROM met GROUP BY job_id) AS met
    JOIN job ON job.id = met.job_id AND job.id = ANY (ARRAY(SELECT id FROM locked))
), serving AS MATERIALIZED (
    --< fragments/current_turns
    FROM (SELECT DISTINCT extension_id, priority FROM fewer) AS line
), moved AS (
    UPDATE job SET unmet_dependencies = job.unmet_dependencies - fewer.n,
                   state = CASE WHEN job.unmet_dependencies = fewer.n THEN 'pending' ELSE 'blocked' END::job_state,
                   run_at = CASE WHEN held.status = 'paused' AND job.run_at IS NULL THEN 'infinity'::timestamptz ELSE job.run_at END,
                   turn = CASE WHEN job.unmet_dependencies = fewer.n THEN greatest(job.turn, serving.turn + fewer.nth) ELSE job.turn END
    FROM fewer JOIN serving USING (extension_id, priority) LEFT JOIN held ON held.id = fewer.posting_id
    WHERE job.id = fewer.job_id AND job.state = 'blocked'
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents,
              job.priority, job.submitter, job.turn
), taken AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT extension_id, priority, submitter, max(turn) FROM moved WHERE state = 'pending' GROUP BY extension_id, priority, submitter
    ON CONFLICT (extension_id, priority, submitter) DO UPDATE SET last_turn = greatest(f.last_turn, excluded.last_turn), used_at = now()
), count_change AS (
    SELECT extension_id, -count(*) AS blocked, count(*) AS pending, 0 AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM moved WHERE state = 'pending' GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved WHERE state = 'pending'
