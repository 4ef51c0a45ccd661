-- Store profiles: {extension_id, …, stats: [[function, calls, primitive calls, own, total]], pairs: [[caller, callee, …]]}. The commit is
-- asynchronous: losing the last profiles in a crash is acceptable.
WITH commit_mode AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
), given AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('job_profile', 'id')) AS id, one.* FROM commit_mode, jsonb_to_recordset(%(profiles)s::jsonb) AS one (
        extension_id integer, posting_id uuid, job_id uuid, attempt integer, code_version text, executions integer,
        calls bigint, total_ms double precision, stacks jsonb, stats jsonb, pairs jsonb)
    WHERE EXISTS (SELECT FROM extension WHERE extension.id = one.extension_id)
), kept AS (
    INSERT INTO job_profile (id, extension_id, posting_id, job_id, attempt, submitter, worker_id, machine, code_version,
                             executions, calls, total_ms, stacks)
    OVERRIDING SYSTEM VALUE
    SELECT given.id, given.extension_id, given.posting_id, given.job_id, given.attempt,
           coalesce((SELECT posting.submitter FROM posting WHERE posting.id = given.posting_id),
                    (SELECT job.submitter FROM job WHERE job.id = given.job_id)),
           %(worker_id)s, %(machine)s, given.code_version, given.executions, given.calls, given.total_ms, given.stacks
    FROM given
), counted AS (
    INSERT INTO function_stat (profile_id, function_id, calls, primitive_calls, own_ms, total_ms)
    SELECT given.id, (s->>0)::integer, (s->>1)::bigint, (s->>2)::bigint, (s->>3)::double precision, (s->>4)::double precision
    FROM given CROSS JOIN LATERAL jsonb_array_elements(given.stats) AS s
)
INSERT INTO function_call (profile_id, caller_id, callee_id, calls, primitive_calls, own_ms, total_ms)
SELECT given.id, (c->>0)::integer, (c->>1)::integer, (c->>2)::bigint, (c->>3)::bigint, (c->>4)::double precision, (c->>5)::double precision
FROM given CROSS JOIN LATERAL jsonb_array_elements(given.pairs) AS c
