-- Set the extensions that a worker offers.
WITH gone AS (
    DELETE FROM offer WHERE worker_id = %(worker_id)s AND NOT extension_id = ANY (%(extension_ids)s::integer[])
)
INSERT INTO offer (worker_id, extension_id)
SELECT %(worker_id)s, id FROM unnest(%(extension_ids)s::integer[]) AS id
ON CONFLICT DO NOTHING
