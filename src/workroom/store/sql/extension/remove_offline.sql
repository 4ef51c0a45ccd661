-- Remove an extension that no live worker offers and no ended one still holds a job of. Nothing otherwise, or when it was removed before.
UPDATE extension SET removed_at = now()
WHERE id = %(id)s AND removed_at IS NULL
  AND NOT EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
                  WHERE offer.extension_id = extension.id AND worker.ended_at IS NULL)
  AND (SELECT coalesce(sum(active), 0) <= 0 FROM job_count WHERE job_count.extension_id = extension.id)
RETURNING id, scope, room, category, name
