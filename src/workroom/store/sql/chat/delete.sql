-- Delete a message of the author, or of any author.
DELETE FROM chat_message
WHERE id = %(id)s AND room = %(room)s AND (author = %(author)s OR %(any_author)s::boolean)
RETURNING id
