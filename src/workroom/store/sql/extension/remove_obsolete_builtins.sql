-- Remove built-in extensions that the server no longer offers and that have neither workers nor unfinished jobs.
UPDATE extension SET removed_at = now()
WHERE scope = 'builtin' AND NOT id = ANY (%(kept)s::integer[]) AND removed_at IS NULL
  AND
  --< fragments/extension_unused
RETURNING id, scope, room, category, name
