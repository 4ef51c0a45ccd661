-- The postings of a room that have not ended.
SELECT id FROM posting WHERE room = %(name)s AND finished_at IS NULL
