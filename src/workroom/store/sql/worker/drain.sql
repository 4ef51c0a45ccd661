-- Assign no further jobs to a worker.
UPDATE worker SET draining = true WHERE id = %(id)s AND ended_at IS NULL RETURNING id
