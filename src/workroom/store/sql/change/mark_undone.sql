-- These changes are undone. What an undone undo had undone is so no more.
WITH again AS (
    UPDATE change SET undone_by = NULL WHERE undone_by = ANY (%(ids)s) AND id <> ALL (%(ids)s)
)
UPDATE change SET undone_by = %(by)s WHERE id = ANY (%(ids)s)
