-- The uploaded files of a room with these ids, locked so that upkeep cannot delete them before a job has them.
SELECT id, name, size FROM input_file WHERE id = ANY (%(ids)s) AND room = %(room)s ORDER BY id FOR KEY SHARE
