-- How jobs stand, for telling a repeated report from a conflicting or late one.
SELECT id, state::text, worker_id, attempt, result, error FROM job WHERE id = ANY (%(ids)s::uuid[])
