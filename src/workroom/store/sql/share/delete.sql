-- Take a link back; whoever came in by it stays.
DELETE FROM share_link WHERE id = %(id)s AND room = %(room)s RETURNING id
