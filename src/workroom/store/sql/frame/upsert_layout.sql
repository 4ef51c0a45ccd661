-- The id of a layout, inserted if it is new. No row if a concurrent transaction is inserting it.
WITH made AS (
    INSERT INTO frame_layout (digest, keys) VALUES (%(digest)s, %(keys)s)
    ON CONFLICT (digest) DO NOTHING
    RETURNING id
)
SELECT id FROM made
UNION ALL
SELECT id FROM frame_layout WHERE digest = %(digest)s
LIMIT 1
