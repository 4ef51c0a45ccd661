-- Pause a posting. A transaction that queues a job of the posting locks this row: the pause waits for it, and later ones see the
-- posting paused.
UPDATE posting SET status = 'paused' WHERE id = %(id)s AND status IN ('executing', 'paused') RETURNING extension_id
