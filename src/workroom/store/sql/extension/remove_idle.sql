-- Remove those of these locked extensions that have been offline for their time and have no unfinished jobs.
UPDATE extension SET removed_at = now()
WHERE id = ANY (%(ids)s::integer[]) AND removed_at IS NULL
  AND offline_since <= clock_timestamp() - %(offline_seconds)s * interval '1 second'
  AND
  --< fragments/extension_unused
RETURNING id, scope, room, category, name
