-- Those of these workers that count as detached.
SELECT id FROM worker WHERE id = ANY (%(ids)s::uuid[]) AND NOT attached AND ended_at IS NULL
