-- Those of these frames that left a trajectory by a change that can be undone.
SELECT DISTINCT taken.frame_id
FROM change_splice, unnest(change_splice.removed) AS taken (frame_id)
WHERE change_splice.removed && %(ids)s::bigint[] AND change_splice.removed <> '{}' AND taken.frame_id = ANY (%(ids)s)
