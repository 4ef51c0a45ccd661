-- The last socket of a client closed: the grace period of its locks begins.
UPDATE room_lock SET left_at = clock_timestamp() WHERE holder = %(holder)s AND client = %(client)s
