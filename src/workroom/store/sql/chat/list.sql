-- The messages of a room before a given one, newest first.
SELECT message.id, message.room, message.author, account.name, message.job_id, message.text, message.created_at,
       message.edited_at
FROM chat_message AS message
LEFT JOIN account ON account.id = message.author
WHERE message.room = %(room)s AND (%(before)s::uuid IS NULL OR message.id < %(before)s)
ORDER BY message.id DESC LIMIT %(limit)s
