-- The items that the given changes set or removed, as JSON texts.
SELECT value.kind, value.key, value.before::text, value.after::text, change.revision
FROM change_value AS value
JOIN change ON change.id = value.change_id
WHERE value.change_id = ANY (%(change_ids)s)
