-- The splices of a room since the oldest of the given changes, in order. An expired change is one row without a splice.
SELECT change.id, change.revision, change.undone_by, change.expired, part.start, part.removed, part.added, part.undoes
FROM change
LEFT JOIN LATERAL (
    SELECT * FROM change_splice WHERE change_splice.change_id = change.id OFFSET 0
) AS part ON true
WHERE change.room = %(room)s AND (part.change_id IS NOT NULL OR change.expired)
  AND change.revision >= (SELECT min(oldest.revision) FROM change AS oldest
                          WHERE oldest.room = %(room)s AND oldest.id = ANY (%(ids)s))
ORDER BY change.revision, part.ordinal
