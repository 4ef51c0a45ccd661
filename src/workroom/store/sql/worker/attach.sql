-- A remote worker's socket has connected. Only the newest incarnation counts.
UPDATE worker SET attached = true, attached_at = clock_timestamp(), detached_at = NULL, socket = %(socket)s, server = %(server)s,
                  lease_until = clock_timestamp() + %(lease_seconds)s * interval '1 second'
WHERE id = %(id)s AND incarnation = %(incarnation)s AND ended_at IS NULL
  AND NOT EXISTS (SELECT FROM account WHERE account.id = worker.account_id AND account.disabled_at IS NOT NULL)
RETURNING id
