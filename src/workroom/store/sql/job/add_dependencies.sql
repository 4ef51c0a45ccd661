-- Insert the dependencies of new jobs.
INSERT INTO dependency (job_id, needs_job, needs_posting)
SELECT job.id, need.job, need.posting
FROM unnest(%(ids)s::uuid[]) AS job (id)
CROSS JOIN (
    SELECT needed, NULL::uuid FROM unnest(%(jobs)s::uuid[]) AS needed
    UNION ALL
    SELECT NULL::uuid, needed FROM unnest(%(postings)s::uuid[]) AS needed
) AS need (job, posting)
