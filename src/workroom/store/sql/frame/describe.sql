-- What a frame at a position consists of, and who made it.
SELECT frame_layout.keys, frame.change_id, change.action, change.label, change.author, account.name, change.job_id,
       change.extension, change.parameters, change.machine, change.at
FROM frame
JOIN frame_layout ON frame_layout.id = frame.layout_id
LEFT JOIN change ON change.id = frame.change_id
LEFT JOIN account ON account.id = change.author
WHERE frame.id = (SELECT room_frame.frame_id FROM room_frame
                  WHERE room_frame.room = %(room)s AND room_frame.position = %(position)s)
