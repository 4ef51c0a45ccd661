-- The layout of the frame at a position, and the change that added it.
SELECT frame_layout.keys, frame.change_id, change.action, change.label, change.author, account.name, change.job_id,
       change_origin.extension, change_origin.parameters, change.machine, change.at
FROM frame
JOIN frame_layout ON frame_layout.id = frame.layout_id
LEFT JOIN change ON change.id = frame.change_id
LEFT JOIN account ON account.id = change.author
LEFT JOIN change_origin ON change_origin.room = change.room AND change_origin.job_id = change.job_id
WHERE frame.id = (SELECT room_frame.frame_id FROM room_frame
                  WHERE room_frame.room = %(room)s AND room_frame.position = %(position)s)
