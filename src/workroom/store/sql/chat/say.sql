-- Say something in a room.
INSERT INTO chat_message (id, room, author, text) VALUES (%(id)s, %(room)s, %(author)s, %(text)s)
RETURNING id, room, author, job_id, text, created_at, edited_at
