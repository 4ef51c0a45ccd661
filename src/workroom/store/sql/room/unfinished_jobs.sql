-- The jobs of a room that have not ended.
SELECT id FROM job WHERE room = %(name)s AND finished_at IS NULL ORDER BY id
