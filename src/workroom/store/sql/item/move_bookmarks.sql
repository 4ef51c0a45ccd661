-- Give bookmarks new keys. The keys may be those of other bookmarks that move too, so they are set aside until
-- `settle_bookmarks`. The room's data is locked.
UPDATE scene_item SET key = '>' || moved.new_key, revision = %(revision)s
FROM unnest(%(keys)s::text[], %(new_keys)s::text[]) AS moved (key, new_key)
WHERE scene_item.room = %(room)s AND scene_item.kind = 'bookmark' AND scene_item.key = moved.key
