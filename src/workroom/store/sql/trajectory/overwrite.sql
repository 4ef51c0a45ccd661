-- Put frames at the positions from `start` on, which all exist; those that are there already stay untouched.
UPDATE room_frame
SET frame_id = (%(ids)s::bigint[])[position - %(start)s + 1]
WHERE room = %(room)s AND position >= %(start)s AND position < %(start)s + cardinality(%(ids)s::bigint[])
  AND frame_id <> (%(ids)s::bigint[])[position - %(start)s + 1]
