-- Those of these frames that a change removed which can still be undone.
SELECT DISTINCT taken.frame_id
FROM change_splice, unnest(change_splice.removed) AS taken (frame_id)
WHERE change_splice.removed && %(ids)s::bigint[] AND change_splice.removed <> '{}' AND taken.frame_id = ANY (%(ids)s)
