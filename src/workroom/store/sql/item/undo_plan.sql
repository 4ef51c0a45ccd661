-- What undoing item changes would do to each item, and whether it is allowed: the item must have the value that the last of
-- these changes gave it, and no other change may lie between them. The room's data is locked.
WITH step AS (
    SELECT value.kind, value.key, value.before::jsonb AS before, value.after::jsonb AS after, value.revision,
           lag(value.after::jsonb) OVER item AS left_as, row_number() OVER item AS place
    FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(befores)s::text[], %(afters)s::text[], %(revisions)s::bigint[])
         AS value (kind, key, before, after, revision)
    WINDOW item AS (PARTITION BY value.kind, value.key ORDER BY value.revision)
), whole AS (
    SELECT kind, key, min(revision) AS first_revision, (array_agg(before ORDER BY revision))[1] AS before,
           (array_agg(after ORDER BY revision DESC))[1] AS after,
           bool_and(place = 1 OR before IS NOT DISTINCT FROM left_as) AS in_one_go
    FROM step GROUP BY kind, key
)
SELECT whole.kind, whole.key, whole.first_revision, whole.before IS NULL,
       whole.in_one_go AND whole.after IS NOT DISTINCT FROM present.value
FROM whole
LEFT JOIN scene_item AS present ON present.room = %(room)s AND (present.kind, present.key) = (whole.kind, whole.key)
ORDER BY whole.kind, whole.key
