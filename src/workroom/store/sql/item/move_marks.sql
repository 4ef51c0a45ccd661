-- Set the frame selection and the links of figures after frames have moved. The room's data is locked.
UPDATE scene_item
SET value = CASE scene_item.kind WHEN 'figure' THEN jsonb_set(scene_item.value, '{links}', moved.value::jsonb)
                                 ELSE moved.value::jsonb END,
    revision = %(revision)s
FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(values)s::text[]) AS moved (kind, key, value)
WHERE scene_item.room = %(room)s AND scene_item.kind = moved.kind AND scene_item.key = moved.key
