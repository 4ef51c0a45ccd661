-- Sign a guest in: create the account, or use the one with this name. No row when the name belongs to another kind of
-- account, has a password, or is disabled.
INSERT INTO account AS a (id, name, role) VALUES (%(id)s, %(name)s, 'guest')
ON CONFLICT (lower(name)) DO UPDATE SET seen_at = now()
    WHERE a.role = 'guest' AND a.password_hash IS NULL AND a.disabled_at IS NULL
RETURNING id, name, role, token_epoch, password_hash
