-- The length, the step and the revisions of a room.
SELECT room_data.room, room_data.length, room_data.step, room_data.step_revision, room_data.revision
FROM room_data
JOIN room ON room.number = room_data.room
WHERE room.name = %(room)s
