-- The rooms that see these workers; null stands for all rooms.
SELECT DISTINCT extension.room FROM offer JOIN extension ON extension.id = offer.extension_id
WHERE offer.worker_id = ANY (%(ids)s::uuid[])
