-- Say in their rooms which jobs have failed, and why.
WITH said AS (
    INSERT INTO chat_message (id, room, author, job_id, text)
    SELECT fresh.id, job.room, job.submitter, job.id,
           left(format('**%%s** failed: %%s: %%s', extension.name, coalesce(job.error ->> 'type', 'Error'), coalesce(job.error ->> 'message', 'no message')), 4000)
    FROM unnest(%(ids)s::uuid[], %(job_ids)s::uuid[]) AS fresh (id, job_id)
    JOIN job ON job.id = fresh.job_id
    JOIN extension ON extension.id = job.extension_id
    JOIN room ON room.name = job.room
    RETURNING *
)
SELECT said.id, said.room, said.author, account.name, said.job_id, said.text, said.created_at, said.edited_at
FROM said
LEFT JOIN account ON account.id = said.author
