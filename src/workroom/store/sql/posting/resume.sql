-- Resume a paused posting. A transaction that holds a job of the posting locks this row: the resume waits for it, and later ones see
-- the posting executing.
UPDATE posting SET status = 'executing' WHERE id = %(id)s AND status = 'paused' RETURNING extension_id, priority, submitter
