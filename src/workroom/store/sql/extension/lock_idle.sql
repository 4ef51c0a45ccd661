-- Extensions that may be removed: no worker is here that offers them. Their rows are locked, so nobody submits meanwhile.
SELECT id FROM extension
WHERE removed_at IS NULL AND scope IN ('room', 'global') AND (%(ids)s::integer[] IS NULL OR id = ANY (%(ids)s::integer[]))
  AND NOT EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
                  WHERE offer.extension_id = extension.id AND worker.ended_at IS NULL)
ORDER BY id
FOR UPDATE SKIP LOCKED
