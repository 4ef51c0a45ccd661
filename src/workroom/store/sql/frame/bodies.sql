-- The content of frames, in no order.
SELECT id, body FROM frame WHERE id = ANY (%(ids)s)
