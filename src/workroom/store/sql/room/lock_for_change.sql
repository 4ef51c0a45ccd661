-- Lock a room whose members or settings are about to change. Registrations of workers in the room wait, or are seen.
SELECT name FROM room WHERE name = %(name)s FOR NO KEY UPDATE
