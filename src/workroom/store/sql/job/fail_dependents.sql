-- Fail all jobs that depend, directly or through others, on jobs and postings that failed or were cancelled.
WITH RECURSIVE dependent (id) AS (
    SELECT job_id FROM dependency
    WHERE (needs_job = ANY (%(jobs)s::uuid[]) OR needs_posting = ANY (%(postings)s::uuid[])) AND ended_at IS NULL
    UNION
    SELECT dependency.job_id FROM dependency JOIN dependent ON dependency.needs_job = dependent.id AND dependency.ended_at IS NULL
), ended AS (
    UPDATE dependency SET ended_at = clock_timestamp() FROM dependent
    WHERE dependency.job_id = dependent.id AND dependency.ended_at IS NULL
), moved AS (
    UPDATE job SET state = 'failed', unmet_dependencies = 0, run_at = NULL, finished_at = clock_timestamp(),
                   error = jsonb_build_object('type', 'DependencyFailed', 'reason', 'dependency_failed',
                                              'message', 'A job or posting that this one depends on failed or was cancelled.')
    FROM dependent WHERE job.id = dependent.id AND job.id = ANY (ARRAY(SELECT id FROM dependent)) AND job.state = 'blocked'
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents
), count_change AS (
    SELECT extension_id, -count(*) AS blocked, 0 AS pending, 0 AS active, 0 AS completed, count(*) AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM moved GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved
