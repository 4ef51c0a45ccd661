-- Delete those of these frames that are in no trajectory.
DELETE FROM frame
WHERE id = ANY (%(ids)s) AND NOT EXISTS (SELECT FROM room_frame WHERE room_frame.frame_id = frame.id)
