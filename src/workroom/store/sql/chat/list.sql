-- What was said in a room, newest first, before a given message.
SELECT id, room, author, job_id, text, created_at, edited_at FROM chat_message
WHERE room = %(room)s AND (%(before)s::uuid IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s
