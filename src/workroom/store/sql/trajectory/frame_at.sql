-- One frame by its position, from the end if negative, with the length and revision of the trajectory.
SELECT room_data.length, room_data.revision,
       (SELECT frame.body FROM frame
        WHERE frame.id = (SELECT room_frame.frame_id FROM room_frame
                          WHERE room_frame.room = room_data.room
                            AND room_frame.position = %(index)s::integer
                                + CASE WHEN %(index)s::integer < 0 THEN room_data.length ELSE 0 END))
FROM room
JOIN room_data ON room_data.room = room.number
WHERE room.name = %(room)s
