-- Lock the data of a room, unless another transaction has it: no row then.
SELECT room_data.room, room_data.length, room_data.step, room_data.step_revision, room_data.revision
FROM room_data
JOIN room ON room.number = room_data.room
WHERE room.name = %(room)s
FOR UPDATE OF room_data SKIP LOCKED
