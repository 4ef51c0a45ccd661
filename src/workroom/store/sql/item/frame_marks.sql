-- The items of a room that name frames: bookmarks, the frame selection, and the links of figures with the number of points
-- of their traces. The room's data is locked.
SELECT item.kind, item.key,
       CASE item.kind WHEN 'bookmark' THEN NULL WHEN 'figure' THEN item.value -> 'links' ELSE item.value END,
       CASE item.kind WHEN 'figure' THEN ARRAY(
           SELECT (SELECT max(CASE jsonb_typeof(part.value) WHEN 'array' THEN jsonb_array_length(part.value) END)
                   FROM jsonb_each(item.value -> 'data' -> (link.value ->> 'trace')::integer) AS part)
           FROM jsonb_array_elements(item.value -> 'links') WITH ORDINALITY AS link (value, place)
           ORDER BY link.place
       ) END
FROM scene_item AS item
WHERE item.room = %(room)s
  AND (item.kind IN ('bookmark', 'frame_selection')
       OR item.kind = 'figure' AND jsonb_typeof(item.value -> 'links') = 'array')
