-- The changes to undo: one, or all of a job that are not undone; and the kinds of data they touched.
SELECT change.id, change.label, change.undone_by, change.undo_of,
       EXISTS (SELECT FROM change_splice WHERE change_splice.change_id = change.id),
       ARRAY(SELECT DISTINCT value.kind FROM change_value AS value WHERE value.change_id = change.id),
       change.expired
FROM change
JOIN room ON room.number = change.room
WHERE room.name = %(room)s
  AND (change.id = %(id)s OR (change.job_id = %(job_id)s AND change.undone_by IS NULL AND change.undo_of IS NULL))
ORDER BY change.revision DESC
