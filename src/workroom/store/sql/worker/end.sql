-- End a worker: it has shut down, or was removed.
UPDATE worker SET ended_at = clock_timestamp(), end_reason = %(reason)s, attached = false
WHERE id = %(id)s AND ended_at IS NULL
RETURNING id
