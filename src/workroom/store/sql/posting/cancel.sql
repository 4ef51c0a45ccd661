-- Cancel a posting: its waiting jobs at once; jobs at workers are marked, and the workers must confirm.
WITH before AS MATERIALIZED (
    SELECT job.id, job.state FROM job
    WHERE job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = %(id)s AND job.finished_at IS NULL
    ORDER BY job.id FOR UPDATE
),
--< fragments/cancel_selected
-- Jobs without dependents are returned as counts: there may be a million.
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents, worker_id, 1::bigint FROM moved
WHERE has_dependents OR state <> 'cancelled'
UNION ALL
SELECT posting_id, 0, extension_id, posting_id, NULL, 'cancelled', false, NULL, count(*) FROM moved
WHERE NOT has_dependents AND state = 'cancelled' GROUP BY posting_id, extension_id
