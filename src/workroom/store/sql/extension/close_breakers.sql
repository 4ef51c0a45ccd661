-- Close all breakers of an extension, and count failures from the beginning.
UPDATE offer SET failures = 0, failed_inputs = '{}', failed_for = NULL, opened_at = NULL
WHERE extension_id = %(id)s AND (failures > 0 OR opened_at IS NOT NULL)
RETURNING worker_id
