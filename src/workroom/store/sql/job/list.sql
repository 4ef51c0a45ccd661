-- Jobs by room, states, submitter, what an account sees, worker, category, name, a part of the name, ids, or before an id;
-- newest first.
SELECT job.id, job.extension_id, extension.scope, extension.category, extension.name, job.room, job.posting_id,
       job.state::text, job.priority, job.attempt, job.tries - job.failures AS tries_left, job.submitter, account.name, job.worker_id,
       job.retry_of, job.created_at, job.run_at, job.assigned_at, job.started_at, job.finished_at, job.cancel_requested_at,
       job_progress.fraction, job_progress.message,
       -- Long values, and arguments with secrets, are left out.
       CASE WHEN pg_column_size(job.arguments) > 2000 OR strpos(extension.schema::text, '"writeOnly"') > 0
              OR strpos(extension.schema::text, '"password"') > 0 THEN '"…"'::jsonb ELSE job.arguments END,
       CASE WHEN pg_column_size(job.result) > 2000 THEN '"…"'::jsonb ELSE job.result END,
       job.error->>'type', left(job.error->>'message', 1000)
FROM job
JOIN extension ON extension.id = job.extension_id
LEFT JOIN account ON account.id = job.submitter
LEFT JOIN job_progress ON job_progress.job_id = job.id AND job_progress.attempt = job.attempt
WHERE true
  AND job.room = %(room)s --? room
  AND job.submitter = %(submitter)s AND job.posting_id IS NULL --? submitter
  AND job.state = ANY (%(states)s::text[]::job_state[]) --? states
  AND job.state = 'failed' --? failed
  AND job.worker_id = %(worker_id)s --? worker_id
  AND job.state IN ('assigned', 'running') --? active
  AND extension.category = %(category)s --? category
  AND extension.name = %(name)s --? name
  AND strpos(lower(extension.category || '/' || extension.name), lower(%(search)s)) > 0 --? search
  AND job.id = ANY (%(ids)s::uuid[]) --? ids
  AND job.id < %(before)s --? before
  AND (job.room IS NULL OR EXISTS ( --? visible_to
      SELECT FROM room LEFT JOIN room_member AS m ON m.room = room.name AND m.account_id = %(visible_to)s --? visible_to
      WHERE room.name = job.room AND (room.visibility = 'public' OR room.owner_id = %(visible_to)s OR m.rights IS NOT NULL))) --? visible_to
ORDER BY job.id DESC
LIMIT %(limit)s
