-- Set the step of a room and raise its number; a negative step counts from the end. No row when there is no such frame. The commit does not wait
-- for the disk: losing the last step is harmless.
WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
)
UPDATE room_data
SET step = CASE WHEN %(step)s < 0 THEN room_data.length + %(step)s ELSE %(step)s END, step_revision = room_data.step_revision + 1
FROM room, quick
WHERE room.name = %(room)s AND room_data.room = room.number
  AND CASE WHEN %(step)s < 0 THEN room_data.length + %(step)s >= 0 ELSE %(step)s < greatest(room_data.length, 1) END
RETURNING room_data.step, room_data.step_revision
