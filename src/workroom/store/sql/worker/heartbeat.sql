-- Extend the lease of a worker.
UPDATE worker SET lease_until = clock_timestamp() + %(lease_seconds)s * interval '1 second'
WHERE id = %(id)s AND incarnation = %(incarnation)s AND ended_at IS NULL
  AND NOT EXISTS (SELECT FROM account WHERE account.id = worker.account_id AND account.disabled_at IS NOT NULL)
RETURNING id
