-- Append frames.
INSERT INTO room_frame (room, position, frame_id)
SELECT %(room)s, %(start)s + added.place - 1, added.frame_id
FROM unnest(%(ids)s::bigint[]) WITH ORDINALITY AS added (frame_id, place)
