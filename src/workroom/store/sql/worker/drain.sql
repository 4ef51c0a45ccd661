-- A worker is to finish what it has and gets nothing more.
UPDATE worker SET draining = true WHERE id = %(id)s AND ended_at IS NULL RETURNING id
