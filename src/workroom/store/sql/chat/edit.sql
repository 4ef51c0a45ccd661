-- Edit a message. No row when the author has no such message.
WITH edited AS (
    UPDATE chat_message SET text = %(text)s, edited_at = now()
    WHERE id = %(id)s AND room = %(room)s AND author = %(author)s AND job_id IS NULL
    RETURNING *
)
SELECT edited.id, edited.room, edited.author, account.name, edited.job_id, edited.text, edited.created_at, edited.edited_at
FROM edited
LEFT JOIN account ON account.id = edited.author
