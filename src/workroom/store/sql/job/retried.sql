-- What a retry of jobs needs: their state, arguments and options.
SELECT job.id, job.extension_id, extension.scope, extension.category, extension.name, job.room, job.state::text,
       job.priority, job.tries, job.on_worker_lost::text, job.arguments
FROM job
JOIN extension ON extension.id = job.extension_id
WHERE job.id = ANY (%(ids)s::uuid[])
