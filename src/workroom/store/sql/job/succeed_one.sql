-- What `succeed` does by itself or at once, for a single report: the usual case when there is no hurry anywhere, and then the time
-- that a statement takes is mostly that of setting out for all that it might have to do.
WITH done AS (
    UPDATE job SET
        state = 'completed',
        result = nullif(%(result)s::jsonb, 'null'),
        started_at = coalesce(job.started_at, job.assigned_at + %(waited_ms)s::real * interval '1 millisecond',
                              greatest(job.assigned_at, clock_timestamp() - %(ran_ms)s::real * interval '1 millisecond')),
        finished_at = coalesce(job.assigned_at + (%(waited_ms)s::real + %(ran_ms)s::real) * interval '1 millisecond', clock_timestamp())
    -- In words that suit no index but the key, see there.
    WHERE job.id = %(id)s AND job.attempt = %(attempt)s AND job.worker_id IS NOT DISTINCT FROM %(worker_id)s AND NOT job.has_dependents
      AND CASE WHEN %(ran_ms)s::real IS NULL THEN job.state = 'running' ELSE job.state IN ('assigned', 'running') END
      AND num_nulls(job.posting_id) = 1 --? alone
      AND EXISTS (SELECT FROM worker WHERE worker.id = %(worker_id)s AND worker.incarnation = %(incarnation)s) --? alone
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.started_at, job.finished_at
              , job.result --? at_once
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, active, completed, run_ms)
    SELECT extension_id, pg_backend_pid(), -1, 1, extract(epoch FROM finished_at - started_at) * 1000 FROM done
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET active = t.active - 1, completed = t.completed + 1,
                      run_ms = coalesce(0.8 * t.run_ms + 0.2 * excluded.run_ms, excluded.run_ms)
), closed AS (
    UPDATE offer SET failures = 0, opened_at = NULL FROM done
    WHERE offer.worker_id = %(worker_id)s AND offer.extension_id = done.extension_id AND offer.failures > 0
    RETURNING offer.extension_id --? at_once
), counted AS ( --? at_once
    UPDATE posting SET --? at_once
        completed = posting.completed + 1, --? at_once
        status = CASE --? at_once
            WHEN NOT sealed OR posting.completed + posting.failed + posting.cancelled + 1 < total THEN posting.status --? at_once
            WHEN posting.failed > 0 THEN 'failed' --? at_once
            WHEN posting.cancelled > 0 THEN 'cancelled' --? at_once
            ELSE 'completed' END, --? at_once
        finished_at = CASE WHEN sealed AND posting.completed + posting.failed + posting.cancelled + 1 = total --? at_once
                           THEN clock_timestamp() END --? at_once
    FROM done --? at_once
    -- Breakers first, as everybody does: two that lock the same rows in another order would wait for each other. --? at_once
    WHERE posting.id = done.posting_id AND (SELECT count(*) FROM closed) IS NOT NULL --? at_once
    RETURNING posting.id, posting.status, posting.has_dependents, posting.finished_at, posting.total --? at_once
)
SELECT done.id, done.attempt, done.extension_id, done.posting_id, done.room, done.state::text, false, 1::bigint, done.started_at, done.finished_at,
       EXISTS (SELECT FROM offer CROSS JOIN LATERAL (                                                        --? alone
           SELECT FROM job WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL LIMIT 1) AS waiting --? alone
           WHERE offer.worker_id = %(worker_id)s)                                                            --? alone
       -- Who waits for a single job is told its result with its end, if it is short: they need not come and fetch it. --? at_once
       CASE WHEN counted.finished_at IS NULL OR CASE WHEN counted.has_dependents THEN refuse_shortcut() ELSE false END THEN NULL --? at_once
       ELSE counted.status || pg_notify('workroom_posting', concat_ws(' ', counted.id, --? at_once
           CASE WHEN counted.total = 1 AND counted.status = 'completed' AND coalesce(octet_length(done.result::text), 0) < 7000 --? at_once
                THEN concat_ws(' ', done.id, coalesce(done.result, 'null')) END))::text END --? at_once
FROM done
LEFT JOIN counted ON true --? at_once
