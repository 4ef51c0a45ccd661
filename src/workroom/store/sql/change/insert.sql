-- Insert a change and raise the revision of the room. The first change of a job in the room also stores the origin: the
-- extension and the arguments of the job. The row of the job is locked, so it exists.
WITH raised AS (
    UPDATE room_data
    SET revision = revision + 1, length = coalesce(%(length)s, length), step = coalesce(%(step)s, step),
        step_revision = step_revision + (%(step)s IS NOT NULL)::integer, bytes = bytes + %(bytes)s
    WHERE room = %(room)s
    RETURNING revision
), origin AS (
    INSERT INTO change_origin (room, job_id, extension, parameters)
    SELECT %(room)s, job.id, extension.category || '/' || extension.name, job.arguments
    FROM job
    JOIN extension ON extension.id = job.extension_id
    WHERE job.id = %(job_id)s
      AND NOT EXISTS (SELECT FROM change_origin WHERE change_origin.room = %(room)s AND change_origin.job_id = %(job_id)s)
    ON CONFLICT DO NOTHING
)
INSERT INTO change (id, room, revision, action, label, author, job_id, machine, undo_of)
SELECT %(id)s, %(room)s, raised.revision, %(action)s, %(label)s, %(author)s, %(job_id)s, %(machine)s, %(undo_of)s
FROM raised
RETURNING revision, at
