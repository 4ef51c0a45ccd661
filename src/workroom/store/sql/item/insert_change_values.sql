-- Record the old and new values of items in a change. Runs before the items are written.
INSERT INTO change_value (change_id, kind, key, before, after)
SELECT %(change_id)s, %(kind)s, touched.key, old.value, given.value
FROM unnest(%(keys)s::text[]) AS touched (key)
LEFT JOIN jsonb_each(%(values)s::jsonb) AS given USING (key)
LEFT JOIN scene_item AS old ON old.room = %(room)s AND old.kind = %(kind)s AND old.key = touched.key
