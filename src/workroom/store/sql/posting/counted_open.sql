-- Postings that are still open although all their jobs are counted: the process that counted the last job stopped before it
-- ended the posting.
SELECT id FROM posting
WHERE finished_at IS NULL AND sealed AND completed + failed + cancelled = total
LIMIT 1000
