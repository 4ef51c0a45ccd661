-- The links into a room that still work, newest first.
SELECT id, rights, created_by, created_at, expires_at FROM share_link
WHERE room = %(room)s AND (expires_at IS NULL OR expires_at > now())
ORDER BY id DESC
