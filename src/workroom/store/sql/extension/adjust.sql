-- An admin changes how many jobs one worker takes at once and the priority of new jobs; a null leaves the value, and the concurrency 0
-- removes the limit. Registrations then leave both values, until they are given back to them.
UPDATE extension SET
    concurrency = CASE WHEN %(concurrency)s::integer = 0 THEN NULL ELSE coalesce(%(concurrency)s::integer, concurrency) END,
    priority = coalesce(%(priority)s::smallint, priority),
    adjusted = NOT %(as_registered)s::boolean
WHERE id = %(id)s AND removed_at IS NULL
RETURNING id, scope, room, category, name, concurrency, priority, adjusted
