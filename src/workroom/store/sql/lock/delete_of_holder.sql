-- Delete all locks of an account.
DELETE FROM room_lock WHERE holder = %(holder)s RETURNING room, target
