-- Insert a message about each failed job in its room.
WITH inserted AS (
    INSERT INTO chat_message (id, room, author, job_id, text)
    SELECT fresh.id, job.room, job.submitter, job.id,
           left(format('**%%s** failed: %%s: %%s', extension.name, coalesce(job.error ->> 'type', 'Error'), coalesce(job.error ->> 'message', 'no message')), 4000)
    FROM unnest(%(ids)s::uuid[], %(job_ids)s::uuid[]) AS fresh (id, job_id)
    JOIN job ON job.id = fresh.job_id
    JOIN extension ON extension.id = job.extension_id
    JOIN room ON room.name = job.room
    RETURNING *
)
SELECT inserted.id, inserted.room, inserted.author, account.name, inserted.job_id, inserted.text, inserted.created_at, inserted.edited_at
FROM inserted
LEFT JOIN account ON account.id = inserted.author
