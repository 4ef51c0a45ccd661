-- Mark changes as undone. If an undo is undone, the changes that it had undone are no longer marked.
WITH again AS (
    UPDATE change SET undone_by = NULL WHERE undone_by = ANY (%(ids)s) AND id <> ALL (%(ids)s)
)
UPDATE change SET undone_by = %(by)s WHERE id = ANY (%(ids)s)
