-- Take back what one has said oneself; an owner of the room, what anybody has said.
DELETE FROM chat_message
WHERE id = %(id)s AND room = %(room)s AND (author = %(author)s OR %(anybodys)s::boolean)
RETURNING id
