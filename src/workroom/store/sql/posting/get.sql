-- One posting.
SELECT id, extension_id, submitter, room, label, status, priority, tries, total, completed, failed, cancelled, created_at, finished_at
FROM posting WHERE id = %(id)s
