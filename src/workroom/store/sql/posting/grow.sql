-- So many jobs were added to a posting; sealed with the last of them. Ends it when they have all ended already.
UPDATE posting SET total = total + %(count)s, duplicates = %(duplicates)s, sealed = %(sealed)s,
    status = CASE WHEN ends.now THEN ends.status ELSE posting.status END,
    finished_at = CASE WHEN ends.now THEN clock_timestamp() END
FROM (
    SELECT id, %(sealed)s AND completed + failed + cancelled = total + %(count)s AS now,
           CASE WHEN failed > 0 THEN 'failed' WHEN cancelled > 0 THEN 'cancelled' ELSE 'completed' END AS status
    FROM posting WHERE id = %(id)s FOR UPDATE
) AS ends
WHERE posting.id = ends.id AND posting.finished_at IS NULL
RETURNING posting.id, posting.status, posting.has_dependents
