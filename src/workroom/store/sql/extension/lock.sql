-- The extension with this identity, its row locked: serialises registering, removing and submitting.
SELECT id, schema_hash FROM extension
WHERE scope = %(scope)s AND room IS NOT DISTINCT FROM %(room)s AND category = %(category)s AND name = %(name)s
FOR UPDATE
