-- A worker registers again under its id, as its next incarnation; the one before is refused from now on. No row when there is no
-- such worker of the account, or when it was evicted.
UPDATE worker SET incarnation = incarnation + 1, capacity = %(capacity)s, info = %(info)s::jsonb, resources = %(resources)s::jsonb,
                  ends_at = clock_timestamp() + %(seconds_left)s::float8 * interval '1 second', room = %(room)s,
                  lease_until = clock_timestamp() + %(lease_seconds)s * interval '1 second', attached = %(attached)s,
                  detached_at = CASE WHEN %(attached)s THEN NULL ELSE clock_timestamp() END,
                  api_token_id = %(api_token)s::uuid, draining = false, ended_at = NULL, end_reason = NULL
WHERE id = %(id)s AND account_id IS NOT DISTINCT FROM %(account_id)s AND kind = %(kind)s AND end_reason IS DISTINCT FROM 'evicted'
RETURNING incarnation
