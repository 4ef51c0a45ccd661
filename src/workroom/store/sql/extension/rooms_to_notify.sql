-- The rooms that see these extensions; null stands for all rooms.
SELECT DISTINCT room FROM extension WHERE id = ANY (%(ids)s::integer[])
