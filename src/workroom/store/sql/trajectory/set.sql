-- Put frames at these positions, which all exist.
UPDATE room_frame
SET frame_id = wanted.frame_id
FROM unnest(%(positions)s::integer[], %(ids)s::bigint[]) AS wanted (position, frame_id)
WHERE room_frame.room = %(room)s AND room_frame.position = wanted.position
  AND room_frame.frame_id <> wanted.frame_id
