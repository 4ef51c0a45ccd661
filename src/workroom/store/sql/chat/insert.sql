-- Say something in a room.
WITH said AS (
    INSERT INTO chat_message (id, room, author, text) VALUES (%(id)s, %(room)s, %(author)s, %(text)s) RETURNING *
)
SELECT said.id, said.room, said.author, account.name, said.job_id, said.text, said.created_at, said.edited_at
FROM said
LEFT JOIN account ON account.id = said.author
