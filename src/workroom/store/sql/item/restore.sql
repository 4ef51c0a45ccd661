-- Restore items to their values before the given item changes, and record that. The room's data is locked.
WITH step AS (
    SELECT value.kind, value.key, (array_agg(value.before::jsonb ORDER BY value.revision))[1] AS before
    FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(befores)s::text[], %(revisions)s::bigint[])
         AS value (kind, key, before, revision)
    GROUP BY value.kind, value.key
), noted AS (
    INSERT INTO change_value (change_id, kind, key, before, after)
    SELECT %(change_id)s, step.kind, step.key, present.value, step.before
    FROM step
    LEFT JOIN scene_item AS present ON present.room = %(room)s AND (present.kind, present.key) = (step.kind, step.key)
), removed AS (
    DELETE FROM scene_item USING step
    WHERE scene_item.room = %(room)s AND (scene_item.kind, scene_item.key) = (step.kind, step.key) AND step.before IS NULL
)
INSERT INTO scene_item AS item (room, kind, key, value, revision, updated_by)
SELECT %(room)s, step.kind, step.key, step.before, %(revision)s, %(author)s FROM step WHERE step.before IS NOT NULL
ON CONFLICT (room, kind, key) DO UPDATE
SET value = excluded.value, revision = excluded.revision, updated_by = excluded.updated_by, updated_at = now()
