-- Pause a posting. Whoever puts a job of it back in line holds this row meanwhile: it waits for them, and later ones see it paused.
UPDATE posting SET status = 'paused' WHERE id = %(id)s AND status IN ('executing', 'paused') RETURNING extension_id
