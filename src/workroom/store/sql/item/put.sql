-- Set items.
INSERT INTO scene_item AS item (room, kind, key, value, revision, updated_by)
SELECT %(room)s, %(kind)s, given.key, given.value, %(revision)s, %(author)s
FROM jsonb_each(%(values)s::jsonb) AS given
WHERE given.key = ANY (%(keys)s::text[])
ON CONFLICT (room, kind, key) DO UPDATE
SET value = excluded.value, revision = excluded.revision, updated_by = excluded.updated_by, updated_at = now()
