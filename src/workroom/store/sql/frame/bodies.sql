-- The bodies of frames, in any order.
SELECT id, body FROM frame WHERE id = ANY (%(ids)s)
