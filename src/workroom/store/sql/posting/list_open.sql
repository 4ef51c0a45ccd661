-- Open postings, those made since an id, and those with the given ids.
SELECT posting.id, posting.extension_id, posting.submitter, posting.room, posting.label, posting.status, posting.priority, posting.tries,
       posting.total, posting.completed, posting.failed, posting.cancelled, posting.created_at, posting.finished_at,
       extension.scope, extension.category, extension.name, account.name, posting.unique_key, posting.by_job, posting.duplicates
FROM posting
JOIN extension ON extension.id = posting.extension_id
LEFT JOIN account ON account.id = posting.submitter
WHERE posting.id IN (
    SELECT id FROM posting WHERE finished_at IS NULL
    UNION SELECT id FROM posting WHERE id > %(since)s
    UNION SELECT unnest(%(ids)s::uuid[]))
ORDER BY posting.id
