-- What changes did to a room's trajectory since the oldest of these, in their order: a row for each splice, and one
-- without for a change that was forgotten.
SELECT change.id, change.undone_by, change.forgotten, change_splice.start, change_splice.removed, change_splice.added,
       change_splice.undoes
FROM change
LEFT JOIN change_splice ON change_splice.change_id = change.id
WHERE change.room = %(room)s AND (change_splice.change_id IS NOT NULL OR change.forgotten)
  AND change.revision >= (SELECT min(oldest.revision) FROM change AS oldest
                          WHERE oldest.room = %(room)s AND oldest.id = ANY (%(ids)s))
ORDER BY change.revision, change_splice.ordinal
