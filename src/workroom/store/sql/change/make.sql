-- Note what was done, and raise the room's revision with it.
WITH raised AS (
    UPDATE room_data
    SET revision = revision + 1, length = coalesce(%(length)s, length), step = coalesce(%(step)s, step)
    WHERE room = %(room)s
    RETURNING revision
)
INSERT INTO change (id, room, revision, action, label, author, job_id, extension, parameters, machine, undo_of)
SELECT %(id)s, %(room)s, raised.revision, %(act)s, %(label)s, %(author)s, %(job_id)s, %(extension)s, %(parameters)s,
       %(machine)s, %(undo_of)s
FROM raised
RETURNING revision, at
