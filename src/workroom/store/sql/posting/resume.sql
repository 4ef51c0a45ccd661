-- Go on with a paused posting. Whoever parks a job of it holds this row meanwhile: it waits for them, and later ones see it executing.
UPDATE posting SET status = 'executing' WHERE id = %(id)s AND status = 'paused' RETURNING extension_id, priority, submitter
