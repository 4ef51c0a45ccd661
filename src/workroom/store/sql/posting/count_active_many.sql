-- How many jobs of each of these postings are at workers; postings with none are left out.
SELECT posting_id, count(*) FROM job
WHERE job.state IN ('assigned', 'running') AND job.posting_id = ANY (%(ids)s::uuid[])
GROUP BY posting_id
