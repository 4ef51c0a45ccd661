-- End workers: they have shut down, or were removed.
UPDATE worker SET ended_at = clock_timestamp(), end_reason = %(reason)s, attached = false
WHERE id = ANY (%(ids)s::uuid[]) AND ended_at IS NULL
RETURNING id
