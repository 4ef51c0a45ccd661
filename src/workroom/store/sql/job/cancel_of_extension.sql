-- Cancel the waiting jobs of an extension that was removed or has another schema. No worker holds one.
WITH before AS MATERIALIZED (
    SELECT job.id, job.state FROM job WHERE job.extension_id = %(extension_id)s AND job.state IN ('blocked', 'pending')
    ORDER BY job.id FOR UPDATE
),
--< fragments/cancel_selected
-- Jobs of postings without dependents are returned as counts for each posting: there may be a million.
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents, worker_id, 1::bigint FROM moved
WHERE has_dependents OR posting_id IS NULL
UNION ALL
SELECT posting_id, 0, extension_id, posting_id, NULL, 'cancelled', false, NULL, count(*) FROM moved
WHERE NOT has_dependents AND posting_id IS NOT NULL GROUP BY posting_id, extension_id
