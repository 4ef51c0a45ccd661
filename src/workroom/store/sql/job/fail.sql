-- A worker reports errors. A job with tries left that is not cancelled is retried after a back-off; the others fail. So does
-- a job with a value that cannot travel: another attempt would meet it again.
WITH mine AS MATERIALIZED (
    SELECT job.id, report.error, job.assigned_at,
           coalesce(job.started_at, job.assigned_at + nullif(report.waited_ms, 'NaN') * interval '1 millisecond',
                              greatest(job.assigned_at, clock_timestamp() - nullif(report.ran_ms, 'NaN') * interval '1 millisecond')) AS started_at,
           coalesce(job.assigned_at + nullif(report.waited_ms + report.ran_ms, 'NaN') * interval '1 millisecond', clock_timestamp()) AS ended_at,
           job.failures + 1 < job.tries AND job.cancel_requested_at IS NULL
               AND report.error ->> 'reason' IS DISTINCT FROM 'value_refused' AS again,
           least(coalesce(posting.backoff_cap, extension.backoff_cap),
                 coalesce(posting.backoff_base, extension.backoff_base) * 2 ^ least(job.failures, 40)
           ) * (0.5 + 0.5 * report.jitter) AS pause_seconds
    FROM ROWS FROM (
        unnest(%(ids)s::uuid[]), unnest(%(attempts)s::integer[]), unnest(%(waited_ms)s::real[]), unnest(%(ran_ms)s::real[]),
        unnest(%(jitter)s::real[]), jsonb_array_elements(%(errors)s::jsonb)
    ) AS report (id, attempt, waited_ms, ran_ms, jitter, error)
    JOIN job ON job.id = report.id
    JOIN extension ON extension.id = job.extension_id
    LEFT JOIN posting ON posting.id = job.posting_id
    WHERE job.worker_id = %(worker_id)s AND job.attempt = report.attempt
      AND (job.state = 'running' OR (job.state = 'assigned' AND report.ran_ms <> 'NaN'))
    FOR UPDATE OF job
), moved AS (
    UPDATE job SET
        state = CASE WHEN mine.again THEN 'pending' ELSE 'failed' END::job_state,
        failures = job.failures + 1,
        worker_id = CASE WHEN mine.again THEN NULL ELSE job.worker_id END,
        run_at = CASE WHEN mine.again THEN clock_timestamp() + mine.pause_seconds * interval '1 second' END,
        assigned_at = CASE WHEN mine.again THEN NULL ELSE job.assigned_at END,
        started_at = CASE WHEN mine.again THEN NULL ELSE mine.started_at END,
        finished_at = CASE WHEN mine.again THEN NULL ELSE mine.ended_at END,
        error = CASE WHEN mine.again THEN NULL ELSE mine.error END
    FROM mine WHERE job.id = mine.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents, job.submitter,
              uuid_hash_extended(job.submitter, jsonb_hash_extended(job.arguments, hashtextextended(coalesce(job.room, ''), 0))) AS input
), recorded AS (
    INSERT INTO failed_attempt (job_id, attempt, worker_id, reason, error, assigned_at, started_at, ended_at)
    SELECT mine.id, moved.attempt, %(worker_id)s, 'failed', mine.error, mine.assigned_at, mine.started_at, mine.ended_at
    FROM mine JOIN moved ON moved.id = mine.id WHERE mine.again
), count_change AS (
    SELECT extension_id, 0 AS blocked, count(*) FILTER (WHERE state = 'pending') AS pending, -count(*) AS active, 0 AS completed, count(*) FILTER (WHERE state = 'failed') AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM moved GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
), breaker AS (
    -- Each input counts once, and the last 64 are kept: one that comes back after 64 others counts again.
    UPDATE offer SET (failures, failed_inputs, failed_for, opened_at) = (
        SELECT offer.failures + cardinality(new.inputs),
               (offer.failed_inputs || new.inputs)[greatest(1, cardinality(offer.failed_inputs) + cardinality(new.inputs) - 63):],
               CASE WHEN offer.failures = 0 OR offer.failed_for = wrong.submitter THEN wrong.submitter END,
               CASE WHEN extension.breaker_failures > 0 AND offer.failures + cardinality(new.inputs) >= extension.breaker_failures
                    THEN clock_timestamp() ELSE offer.opened_at END
        FROM (SELECT ARRAY(SELECT unnest(wrong.inputs) EXCEPT SELECT unnest(offer.failed_inputs)) AS inputs) AS new)
    FROM (SELECT extension_id, array_agg(DISTINCT input) AS inputs,
                 CASE WHEN count(DISTINCT submitter) = 1 THEN (array_agg(submitter))[1] END AS submitter
          FROM moved GROUP BY extension_id) AS wrong
    JOIN extension ON extension.id = wrong.extension_id
    WHERE offer.worker_id = %(worker_id)s AND offer.extension_id = wrong.extension_id
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved
