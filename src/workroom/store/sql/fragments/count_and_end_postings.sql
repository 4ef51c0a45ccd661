-- Adds the jobs of `ended` to the counters of their postings, and ends a posting with the last of its jobs. A standalone
-- statement cannot unblock dependents, so it leaves a posting with dependents open; the caller then ends it in a transaction.
UPDATE posting SET
    completed = posting.completed + ended.completed,
    failed = posting.failed + ended.failed,
    cancelled = posting.cancelled + ended.cancelled,
    status = CASE
        WHEN NOT posting.sealed OR (ended.standalone AND posting.has_dependents)
             OR posting.completed + posting.failed + posting.cancelled + ended.jobs < posting.total THEN posting.status
        WHEN posting.failed + ended.failed > 0 THEN 'failed'
        WHEN posting.cancelled + ended.cancelled > 0 THEN 'cancelled'
        ELSE 'completed' END,
    finished_at = CASE
        WHEN posting.sealed AND NOT (ended.standalone AND posting.has_dependents)
             AND posting.completed + posting.failed + posting.cancelled + ended.jobs = posting.total THEN clock_timestamp() END
FROM ended
WHERE posting.id = ended.id
