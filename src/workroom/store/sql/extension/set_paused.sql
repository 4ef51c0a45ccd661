-- Pause or resume the queue of an extension: no further job of it is assigned. Returns its identity, and whether this changed it.
WITH before AS (
    SELECT id, paused FROM extension WHERE id = %(id)s AND removed_at IS NULL FOR NO KEY UPDATE
)
UPDATE extension SET paused = %(paused)s FROM before
WHERE extension.id = before.id
RETURNING extension.id, extension.scope, extension.room, extension.category, extension.name, before.paused <> extension.paused
