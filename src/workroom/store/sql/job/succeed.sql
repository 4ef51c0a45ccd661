-- A worker reports results. A report that says how long the job ran also stands for its start. Done at once, their postings
-- count them in the same statement.
WITH done AS (
    UPDATE job SET
        state = 'completed',
        result = CASE WHEN report.result <> 'null' THEN report.result END,
        started_at = coalesce(job.started_at, job.assigned_at + nullif(report.waited_ms, 'NaN') * interval '1 millisecond',
                              greatest(job.assigned_at, clock_timestamp() - nullif(report.ran_ms, 'NaN') * interval '1 millisecond')),
        finished_at = coalesce(job.assigned_at + nullif(report.waited_ms + report.ran_ms, 'NaN') * interval '1 millisecond', clock_timestamp())
    FROM ROWS FROM (
        unnest(%(ids)s::uuid[]), unnest(%(attempts)s::integer[]), unnest(%(waited_ms)s::real[]), unnest(%(ran_ms)s::real[]),
        jsonb_array_elements(%(results)s::jsonb)
    ) AS report (id, attempt, waited_ms, ran_ms, result)
    WHERE job.id = report.id AND job.attempt = report.attempt
      AND job.worker_id = %(worker_id)s AND (job.state = 'running' OR (job.state = 'assigned' AND report.ran_ms <> 'NaN')) --? counted
      -- The same of few jobs, in words that suit no index but the key: a plan made while the table was empty would otherwise
      -- read a partial index from end to end, until the table is analysed.
      AND job.id = ANY (%(ids)s::uuid[]) AND job.worker_id IS NOT DISTINCT FROM %(worker_id)s --? alone
      AND CASE WHEN report.ran_ms <> 'NaN' THEN job.state IN ('assigned', 'running') ELSE job.state = 'running' END --? alone
      -- By itself, outside a transaction: only what nothing else follows from.
      AND num_nulls(job.posting_id) = 1 AND NOT job.has_dependents --? alone
      AND EXISTS (SELECT FROM worker WHERE worker.id = %(worker_id)s AND worker.incarnation = %(incarnation)s) --? alone
      AND NOT job.has_dependents --? at_once
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents,
              job.started_at, job.finished_at
              , job.result --? at_once
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, active, completed, run_ms)
    SELECT extension_id, pg_backend_pid(), -count(*), count(*), avg(extract(epoch FROM finished_at - started_at)) * 1000
    FROM done GROUP BY extension_id
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET active = t.active + excluded.active, completed = t.completed + excluded.completed,
                      run_ms = coalesce(0.8 * t.run_ms + 0.2 * excluded.run_ms, excluded.run_ms)
), closed AS (
    UPDATE offer SET failures = 0, opened_at = NULL
    WHERE worker_id = %(worker_id)s AND failures > 0 AND extension_id IN (SELECT extension_id FROM done)
    RETURNING extension_id
), counted AS ( --? at_once
    UPDATE posting SET --? at_once
        completed = posting.completed + ended.jobs, --? at_once
        status = CASE --? at_once
            WHEN NOT sealed OR posting.completed + posting.failed + posting.cancelled + ended.jobs < total THEN posting.status --? at_once
            WHEN posting.failed > 0 THEN 'failed' --? at_once
            WHEN posting.cancelled > 0 THEN 'cancelled' --? at_once
            ELSE 'completed' END, --? at_once
        finished_at = CASE WHEN sealed AND posting.completed + posting.failed + posting.cancelled + ended.jobs = total --? at_once
                           THEN clock_timestamp() END --? at_once
    FROM (SELECT posting_id AS id, count(*)::integer AS jobs FROM done GROUP BY posting_id ORDER BY posting_id) AS ended --? at_once
    -- Breakers first, as everybody does: two that lock the same rows in another order would wait for each other. --? at_once
    WHERE posting.id = ended.id AND (SELECT count(*) FROM closed) IS NOT NULL --? at_once
    RETURNING posting.id, posting.extension_id, posting.status, posting.has_dependents, posting.finished_at, posting.total --? at_once
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents, 1::bigint, started_at, finished_at, --? alone
       EXISTS (SELECT FROM offer CROSS JOIN LATERAL (                                                        --? alone
           SELECT FROM job WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL LIMIT 1) AS waiting --? alone
           WHERE offer.worker_id = %(worker_id)s)                                                            --? alone
FROM done                                                                                                    --? alone
-- Jobs of postings come back counted: nobody follows them one by one, and there are many.
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents, 1::bigint, started_at, finished_at FROM done --? counted
WHERE posting_id IS NULL OR has_dependents                                                                                    --? counted
UNION ALL                                                                                                              --? counted
SELECT posting_id, 0, extension_id, posting_id, NULL, 'completed', false, count(*), NULL, NULL FROM done               --? counted
WHERE posting_id IS NOT NULL AND NOT has_dependents GROUP BY posting_id, extension_id                                         --? counted
UNION ALL --? at_once
-- Who waits for a single job is told its result with its end, if it is short: they need not come and fetch it. --? at_once
SELECT id, 0, extension_id, id, NULL, status || pg_notify('workroom_posting', concat_ws(' ', id, CASE WHEN total = 1 AND status = 'completed' THEN ( --? at_once
           SELECT concat_ws(' ', done.id, coalesce(done.result, 'null')) FROM done --? at_once
           WHERE done.posting_id = counted.id AND coalesce(octet_length(done.result::text), 0) < 7000) END))::text, --? at_once
       false, 0, NULL, finished_at FROM counted --? at_once
WHERE finished_at IS NOT NULL AND NOT CASE WHEN has_dependents THEN refuse_shortcut() ELSE false END --? at_once
