-- A worker is gone: it has shut down, or somebody removed it.
UPDATE worker SET gone_at = clock_timestamp(), gone_reason = %(reason)s, attached = false
WHERE id = %(id)s AND gone_at IS NULL
RETURNING id
