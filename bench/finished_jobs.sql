-- Jobs that ended long ago, for a table as it looks after months: nine of ten of one posting, the rest single jobs of a
-- room; of fifty jobs one failed and one was cancelled. Written as they would stand had they gone the whole way.
WITH old AS (
    INSERT INTO posting (id, extension_id, submitter, status, priority, tries, sealed, total, completed, failed, cancelled, finished_at)
    SELECT encode(%(prefix)s::bytea || int4send(0), 'hex')::uuid, %(extension_id)s, %(submitter)s, 'failed', 5, 1, true,
           count(*), count(*) FILTER (WHERE n %% 50 > 1), count(*) FILTER (WHERE n %% 50 = 0), count(*) FILTER (WHERE n %% 50 = 1), now()
    FROM generate_series(1, %(jobs)s) AS n WHERE n %% 10 <> 5
    RETURNING id
), counted AS (
    INSERT INTO job_count (extension_id, shard, completed, failed, cancelled, run_ms)
    SELECT %(extension_id)s, 0, count(*) FILTER (WHERE n %% 50 > 1), count(*) FILTER (WHERE n %% 50 = 0), count(*) FILTER (WHERE n %% 50 = 1), 0.5
    FROM generate_series(1, %(jobs)s) AS n
), made AS (
    SELECT n, n %% 10 <> 5 AS posted,
           CASE n %% 50 WHEN 0 THEN 'failed' WHEN 1 THEN 'cancelled' ELSE 'completed' END::job_state AS state,
           now() - interval '20 days' + n * interval '1 second' AS at
    FROM generate_series(1, %(jobs)s) AS n
)
INSERT INTO job (id, extension_id, priority, tries, failures, turn, state, on_worker_lost, attempt, submitter, posting_id,
                 worker_id, created_at, assigned_at, started_at, finished_at, cancel_requested_at, room, arguments, result, error)
SELECT encode(%(prefix)s::bytea || int4send(made.n), 'hex')::uuid, %(extension_id)s, 5, 1, (made.state = 'failed')::integer,
       made.n, made.state, 'requeue', 1, %(submitter)s, CASE WHEN made.posted THEN old.id END,
       %(worker_id)s, made.at, made.at + interval '1 ms', made.at + interval '2 ms', made.at + interval '3 ms',
       CASE WHEN made.state = 'cancelled' THEN made.at + interval '2 ms' END,
       CASE WHEN NOT made.posted THEN 'bench' END,
       jsonb_build_object('n', made.n),
       CASE WHEN made.state = 'completed' THEN jsonb_build_object('n', made.n) END,
       CASE WHEN made.state = 'failed' THEN jsonb_build_object('type', 'ValueError', 'message', 'it broke', 'reason', 'error') END
FROM made CROSS JOIN old
