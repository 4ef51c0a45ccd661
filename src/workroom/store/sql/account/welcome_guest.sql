-- The guest of this name: made, or the one there is. No row when the name is not a guest's, has a password or is disabled.
INSERT INTO account AS a (id, name, role) VALUES (%(id)s, %(name)s, 'guest')
ON CONFLICT (lower(name)) DO UPDATE SET name = a.name
    WHERE a.role = 'guest' AND a.password_hash IS NULL AND a.disabled_at IS NULL
RETURNING id, name, role, token_epoch, password_hash
