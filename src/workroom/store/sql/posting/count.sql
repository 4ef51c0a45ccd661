-- Jobs of postings have ended: count them, and end the postings whose last job this was.
UPDATE posting SET
    completed = posting.completed + ended.completed,
    failed = posting.failed + ended.failed,
    cancelled = posting.cancelled + ended.cancelled,
    status = CASE
        WHEN NOT sealed OR posting.completed + posting.failed + posting.cancelled + ended.jobs < total THEN posting.status
        WHEN posting.failed + ended.failed > 0 THEN 'failed'
        WHEN posting.cancelled + ended.cancelled > 0 THEN 'cancelled'
        ELSE 'completed' END,
    finished_at = CASE WHEN sealed AND posting.completed + posting.failed + posting.cancelled + ended.jobs = total
                       THEN clock_timestamp() END
FROM (
    SELECT id, completed, failed, cancelled, completed + failed + cancelled AS jobs
    FROM unnest(%(ids)s::uuid[], %(completed)s::integer[], %(failed)s::integer[], %(cancelled)s::integer[])
        AS ended (id, completed, failed, cancelled)
    ORDER BY id
) AS ended
WHERE posting.id = ended.id
RETURNING posting.id, posting.status, posting.has_dependents
