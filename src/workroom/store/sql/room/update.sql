-- Update a room; null keeps a value.
UPDATE room SET
    description = coalesce(%(description)s, description),
    visibility = coalesce(%(visibility)s, visibility),
    locked = coalesce(%(locked)s, locked),
    extensions_from = coalesce(%(extensions_from)s, extensions_from),
    archived = coalesce(%(archived)s, archived),
    updated_at = now()
WHERE name = %(name)s
RETURNING name
