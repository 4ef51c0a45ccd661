-- The access of a job to its room, as its submitter. No row when another attempt has the job.
SELECT account.id, account.name, account.role, room.visibility, room.locked, room.owner_id = account.id, room_member.rights
FROM job
JOIN account ON account.id = job.submitter
JOIN room ON room.name = job.room
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE job.id = %(job_id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s AND job.room = %(room)s
  AND job.state IN ('assigned', 'running')
