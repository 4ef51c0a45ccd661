-- Who is to hear of these extensions: their rooms; null stands for all rooms.
SELECT DISTINCT room FROM extension WHERE id = ANY (%(ids)s::integer[])
