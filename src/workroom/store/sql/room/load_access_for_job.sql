-- The access of a job to its room, as its submitter. No row when another attempt has the job, or its worker has ended. The
-- visibility is null when the submitter is disabled, as if the room did not exist.
SELECT account.id, account.name, account.role, CASE WHEN account.disabled_at IS NULL THEN room.visibility END, room.locked, room.owner_id = account.id, room_member.rights,
       room.extensions_from
FROM job
JOIN worker ON worker.id = job.worker_id AND worker.ended_at IS NULL
JOIN account ON account.id = job.submitter
JOIN room ON room.name = job.room
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE job.id = %(job_id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s AND job.room = %(room)s
  AND job.state IN ('assigned', 'running')
