-- Postings by status, name of the function or extension, room, submitter, what a job or an account sees, or before an id; newest first.
SELECT posting.id, posting.extension_id, posting.submitter, posting.room, posting.label, posting.status, posting.priority, posting.tries,
       posting.total, posting.completed, posting.failed, posting.cancelled, posting.created_at, posting.finished_at,
       extension.scope, extension.category, extension.name, account.name, posting.unique_key, posting.by_job, posting.duplicates
FROM posting
JOIN extension ON extension.id = posting.extension_id
LEFT JOIN account ON account.id = posting.submitter
WHERE true
  AND posting.status = ANY (%(statuses)s::text[]) --? statuses
  AND extension.name = %(name)s --? name
  AND posting.room = %(room)s --? room
  AND posting.submitter = %(submitter)s --? submitter
  AND posting.id < %(before)s --? before
  AND (posting.by_job = %(by_job)s OR posting.room = %(job_room)s) --? by_job
  AND ((posting.room IS NULL AND posting.submitter = %(visible_to)s) OR EXISTS ( --? visible_to
      SELECT FROM room CROSS JOIN (SELECT %(visible_to)s::uuid AS id) AS reader WHERE room.name = posting.room AND --? visible_to
      --< fragments/may_read_room --? visible_to
      )) --? visible_to
ORDER BY posting.id DESC
LIMIT %(limit)s
