-- Move everybody to a frame; below 0 it counts from the end. No row when there is no such frame. Where people look is not
-- worth a wait for the disk.
WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
)
UPDATE room_data SET step = CASE WHEN %(step)s < 0 THEN room_data.length + %(step)s ELSE %(step)s END
FROM room, quick
WHERE room.name = %(room)s AND room_data.room = room.number
  AND CASE WHEN %(step)s < 0 THEN room_data.length + %(step)s >= 0 ELSE %(step)s < greatest(room_data.length, 1) END
RETURNING room_data.step
