-- Reserve a submitter's next turns in the queue of an extension, for many jobs at once; returns the first. No row when the extension
-- was removed, or has another schema than the arguments were checked against.
WITH line AS (
    SELECT id FROM extension WHERE id = %(extension_id)s AND removed_at IS NULL AND schema_hash = %(schema_hash)s FOR KEY SHARE
)
INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
SELECT %(extension_id)s, %(priority)s, %(submitter)s, %(count)s::bigint - 1 +
    --< fragments/current_turn
FROM line
ON CONFLICT (extension_id, priority, submitter)
    DO UPDATE SET last_turn = greatest(f.last_turn + %(count)s::bigint, excluded.last_turn), used_at = now()
RETURNING last_turn - %(count)s::bigint + 1
