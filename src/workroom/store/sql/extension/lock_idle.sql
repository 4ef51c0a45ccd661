-- Extensions that no live worker offers and that are to be marked as offline, or that have been offline for their time. Their rows are
-- locked, so that no job is submitted meanwhile.
SELECT id FROM extension
WHERE removed_at IS NULL AND scope IN ('room', 'global') AND (%(ids)s::integer[] IS NULL OR id = ANY (%(ids)s::integer[]))
  AND (offline_since IS NULL OR offline_since <= clock_timestamp() - %(offline_seconds)s * interval '1 second')
  AND NOT EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
                  WHERE offer.extension_id = extension.id AND worker.ended_at IS NULL)
ORDER BY id
FOR UPDATE SKIP LOCKED
