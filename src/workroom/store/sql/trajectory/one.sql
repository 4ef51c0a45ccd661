-- One frame by its position, counted from the end if negative, with how far the room's data has come.
SELECT room_data.length, room_data.revision, frame.body
FROM room
JOIN room_data ON room_data.room = room.number
LEFT JOIN room_frame ON room_frame.room = room_data.room
    AND room_frame.position = %(index)s::integer + CASE WHEN %(index)s::integer < 0 THEN room_data.length ELSE 0 END
LEFT JOIN frame ON frame.id = room_frame.frame_id
WHERE room.name = %(room)s
