-- Insert a chat message.
WITH inserted AS (
    INSERT INTO chat_message (id, room, author, text) VALUES (%(id)s, %(room)s, %(author)s, %(text)s) RETURNING *
)
SELECT inserted.id, inserted.room, inserted.author, account.name, inserted.job_id, inserted.text, inserted.created_at, inserted.edited_at
FROM inserted
LEFT JOIN account ON account.id = inserted.author
