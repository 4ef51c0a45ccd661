-- Insert the dependencies of new jobs. Those that have completed before are only recorded.
INSERT INTO dependency (job_id, needs_job, needs_posting, ended_at)
SELECT job.id, need.job, need.posting, CASE WHEN %(ended)s THEN clock_timestamp() END
FROM unnest(%(ids)s::uuid[]) AS job (id)
CROSS JOIN (
    SELECT needed, NULL::uuid FROM unnest(%(jobs)s::uuid[]) AS needed
    UNION ALL
    SELECT NULL::uuid, needed FROM unnest(%(postings)s::uuid[]) AS needed
) AS need (job, posting)
