-- Set the frames at existing positions from `start` on; positions that already have their frame are not written.
UPDATE room_frame
SET frame_id = (%(ids)s::bigint[])[position - %(start)s + 1]
WHERE room = %(room)s AND position >= %(start)s AND position < %(start)s + cardinality(%(ids)s::bigint[])
  AND frame_id <> (%(ids)s::bigint[])[position - %(start)s + 1]
