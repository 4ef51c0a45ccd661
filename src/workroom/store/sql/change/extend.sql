-- Merge a write into an existing change: it gets the next revision of the room.
WITH raised AS (
    UPDATE room_data SET revision = revision + 1 WHERE room = %(room)s RETURNING revision
)
UPDATE change SET revision = raised.revision, label = %(label)s, at = now() FROM raised WHERE change.id = %(id)s
RETURNING change.revision, change.at
