-- Lock all admins who can sign in, so that two admins cannot demote each other at once.
SELECT id FROM account WHERE role = 'admin' AND disabled_at IS NULL ORDER BY id FOR UPDATE
