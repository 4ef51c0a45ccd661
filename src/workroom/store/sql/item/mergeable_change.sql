-- The last change of a room, if a further write of the same item by the same author is to be merged into it.
SELECT change.id
FROM change
JOIN change_value AS value ON value.change_id = change.id
WHERE change.room = %(room)s AND change.revision = %(revision)s AND change.author = %(author)s
  AND change.job_id IS NULL AND change.undo_of IS NULL AND change.undone_by IS NULL
  AND change.at > clock_timestamp() - %(seconds)s * interval '1 second'
  AND value.kind = %(kind)s AND value.key = %(key)s AND value.after IS NOT NULL
  AND NOT EXISTS (SELECT FROM change_value AS other
                  WHERE other.change_id = change.id AND (other.kind, other.key) <> (value.kind, value.key))
  AND NOT EXISTS (SELECT FROM change_splice WHERE change_splice.change_id = change.id)
