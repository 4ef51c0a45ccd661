-- Every admin who can sign in, locked, so that two admins cannot take the role from each other at once.
SELECT id FROM account WHERE role = 'admin' AND disabled_at IS NULL ORDER BY id FOR UPDATE
