-- Cancel jobs: at once while they wait; a job at a worker is marked, and the worker must confirm.
WITH before AS MATERIALIZED (
    SELECT job.id, job.state FROM job WHERE job.id = ANY (%(ids)s::uuid[]) AND job.finished_at IS NULL
    ORDER BY job.id FOR UPDATE
),
--< fragments/cancel_selected
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents, worker_id FROM moved
