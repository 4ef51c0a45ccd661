-- The last socket of a client has closed: from now on its grace runs.
UPDATE room_lock SET left_at = clock_timestamp() WHERE holder = %(holder)s AND client = %(client)s
