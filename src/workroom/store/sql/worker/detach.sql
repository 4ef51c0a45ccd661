-- A remote worker's socket has closed. The worker may be attached with a newer one, at this server or at another.
UPDATE worker SET attached = false, detached_at = clock_timestamp()
WHERE id = %(id)s AND incarnation = %(incarnation)s AND socket = %(socket)s AND ended_at IS NULL
RETURNING id
