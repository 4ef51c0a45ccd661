-- A remote worker's socket has connected or closed. Only the newest incarnation counts.
UPDATE worker SET attached = %(attached)s, attached_at = CASE WHEN %(attached)s THEN clock_timestamp() ELSE attached_at END,
                  detached_at = CASE WHEN %(attached)s THEN NULL ELSE clock_timestamp() END,
                  lease_until = CASE WHEN %(attached)s THEN clock_timestamp() + %(lease_seconds)s * interval '1 second'
                                     ELSE lease_until END
WHERE id = %(id)s AND incarnation = %(incarnation)s AND ended_at IS NULL
  AND NOT EXISTS (SELECT FROM account WHERE account.id = worker.account_id AND account.disabled_at IS NOT NULL)
RETURNING id
