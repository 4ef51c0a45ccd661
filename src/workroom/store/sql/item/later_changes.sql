-- Changes of an item after a given revision, other than the given ones.
SELECT change.id, change.label, account.name, change.at
FROM change
JOIN change_value AS value ON value.change_id = change.id
LEFT JOIN account ON account.id = change.author
WHERE change.room = %(room)s AND change.revision > %(revision)s AND value.kind = %(kind)s AND value.key = %(key)s
  AND change.id <> ALL (%(change_ids)s) AND change.undone_by IS NULL
ORDER BY change.revision DESC LIMIT 10
