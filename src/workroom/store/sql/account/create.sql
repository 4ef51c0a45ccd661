-- A new account.
INSERT INTO account (id, name, role, password_hash) VALUES (%(id)s, %(name)s, %(role)s, %(password_hash)s)
