-- How many jobs of a posting are at workers.
SELECT count(*) FROM job
WHERE job.state IN ('assigned', 'running') AND job.extension_id = %(extension_id)s AND job.posting_id = %(id)s
