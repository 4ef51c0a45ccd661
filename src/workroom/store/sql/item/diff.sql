-- The items that a write would change. Without keys, all other items of the kind are removed. The room's data is locked.
SELECT key, given.key IS NULL, old.key IS NULL,
       (SELECT count(*) FROM scene_item WHERE room = %(room)s AND kind = %(kind)s)
FROM jsonb_each(%(values)s::jsonb) AS given
FULL JOIN (
    SELECT scene_item.key, scene_item.value FROM scene_item
    WHERE room = %(room)s AND kind = %(kind)s AND (%(keys)s::text[] IS NULL OR scene_item.key = ANY (%(keys)s))
) AS old USING (key)
WHERE old.value IS DISTINCT FROM given.value
