-- Take some frames off the list of possibly orphaned ones.
DELETE FROM orphaned_frame
WHERE frame_id = ANY (ARRAY(SELECT frame_id FROM orphaned_frame ORDER BY frame_id LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
RETURNING frame_id
