-- Set a limit for an account or a room.
INSERT INTO quota (account_id, room, name, value) VALUES (%(account_id)s, %(room)s, %(name)s, %(value)s)
ON CONFLICT (account_id, room, name) DO UPDATE SET value = excluded.value, set_at = now()
