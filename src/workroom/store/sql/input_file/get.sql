-- An uploaded file of a room, without its content.
SELECT id, name, size FROM input_file WHERE id = %(id)s AND room = %(room)s
