-- Mark those of these locked extensions as offline that are not yet: since the end of their last worker. The offers of ended workers are
-- kept; where there is none, the last worker has withdrawn the extension, whose time offline is then over.
UPDATE extension SET
    offline_since = coalesce(last.ended_at, clock_timestamp() - %(offline_seconds)s * interval '1 second'),
    offered_by = last.account_id
FROM unnest(%(ids)s::integer[]) AS asked (id)
LEFT JOIN LATERAL (
    SELECT worker.ended_at, worker.account_id FROM offer JOIN worker ON worker.id = offer.worker_id
    WHERE offer.extension_id = asked.id ORDER BY worker.ended_at DESC LIMIT 1
) AS last ON true
WHERE extension.id = asked.id AND extension.offline_since IS NULL AND extension.removed_at IS NULL
  AND NOT EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
                  WHERE offer.extension_id = extension.id AND worker.ended_at IS NULL)
RETURNING extension.id
