-- Add ended jobs to the counters of their postings, and end the postings whose last job this was. Zero jobs end a posting whose
-- jobs were all counted before.
WITH ended AS MATERIALIZED (
    SELECT id, completed, failed, cancelled, completed + failed + cancelled AS jobs, false AS standalone
    FROM unnest(%(ids)s::uuid[], %(completed)s::integer[], %(failed)s::integer[], %(cancelled)s::integer[])
        AS ended (id, completed, failed, cancelled)
    -- Every statement locks postings in this order, so that no two wait for each other.
    ORDER BY id
)
--< fragments/count_and_end_postings
  AND posting.finished_at IS NULL
RETURNING posting.id, posting.status, posting.has_dependents
