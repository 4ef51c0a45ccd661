-- Store the values of a user for a settings extension in a room.
INSERT INTO setting_value (room, account_id, name, data) VALUES (%(room)s, %(account_id)s, %(name)s, %(data)s::jsonb)
ON CONFLICT (room, account_id, name) DO UPDATE SET data = excluded.data, updated_at = now()
