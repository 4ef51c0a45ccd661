-- The share links of a room that have not expired, newest first.
SELECT id, rights, created_by, created_at, expires_at FROM share_link
WHERE room = %(room)s AND (expires_at IS NULL OR expires_at > now())
ORDER BY id DESC
