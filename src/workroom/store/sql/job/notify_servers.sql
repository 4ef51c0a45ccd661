-- Notify servers, after the commit, that extensions have work for remote workers.
SELECT pg_notify('workroom_work', extension.id::text) FROM extension
WHERE extension.id = ANY (%(extension_ids)s::integer[])
  AND EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id AND worker.kind = 'remote' AND worker.ended_at IS NULL
              WHERE offer.extension_id = extension.id)
