-- The jobs and postings of a graph of dependencies.
SELECT 'job', job.id, extension.category, extension.name, job.room, job.state::text, job.created_at, job.finished_at
FROM job JOIN extension ON extension.id = job.extension_id
WHERE job.id = ANY (%(ids)s::uuid[]) AND NOT EXISTS (SELECT FROM posting WHERE posting.id = job.id)
UNION ALL
SELECT 'posting', posting.id, extension.category, coalesce(nullif(posting.label, ''), extension.name), posting.room, posting.status,
       posting.created_at, posting.finished_at
FROM posting JOIN extension ON extension.id = posting.extension_id
WHERE posting.id = ANY (%(ids)s::uuid[])
