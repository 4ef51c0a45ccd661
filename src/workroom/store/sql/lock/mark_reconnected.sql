-- A client reconnected: the grace period of its locks ends.
UPDATE room_lock SET left_at = NULL WHERE holder = %(holder)s AND client = %(client)s AND left_at IS NOT NULL
