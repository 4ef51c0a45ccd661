-- Create a share link.
INSERT INTO share_link (id, room, token_hash, rights, created_by, expires_at)
VALUES (%(id)s, %(room)s, %(token_hash)s, %(rights)s, %(created_by)s, now() + %(seconds)s::float8 * interval '1 second')
RETURNING id, rights, created_by, created_at, expires_at
