-- The current state of jobs: tells a repeated report from a conflicting or stale one.
SELECT id, state::text, worker_id, attempt, result, error FROM job WHERE id = ANY (%(ids)s::uuid[])
