-- The job that an idempotency key stands for, and whether it was asked for with the same arguments.
SELECT id, state::text, created_at, arguments = %(arguments)s::jsonb AND room IS NOT DISTINCT FROM %(room)s AS same
FROM job
WHERE submitter = %(submitter)s AND extension_id = %(extension_id)s AND idempotency_key = %(idempotency_key)s
