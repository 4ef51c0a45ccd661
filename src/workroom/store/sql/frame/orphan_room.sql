-- List the frames of a room that is about to be deleted as possibly orphaned: those in its trajectory and those that its
-- changes removed.
INSERT INTO orphaned_frame (frame_id)
SELECT room_frame.frame_id
FROM room JOIN room_frame ON room_frame.room = room.number
WHERE room.name = %(room)s
UNION
SELECT unnest(change_splice.removed)
FROM room
JOIN change ON change.room = room.number
JOIN change_splice ON change_splice.change_id = change.id
WHERE room.name = %(room)s
ON CONFLICT DO NOTHING
