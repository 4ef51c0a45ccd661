-- Delete postings that ended long ago and have no jobs left, a bounded number at a time.
DELETE FROM posting WHERE id = ANY (ARRAY(
    SELECT posting.id FROM posting
    WHERE posting.finished_at < %(ended_before)s
      AND NOT EXISTS (SELECT FROM dependency WHERE dependency.needs_posting = posting.id AND dependency.ended_at IS NULL)
      AND NOT EXISTS (
          SELECT FROM job
          WHERE job.id BETWEEN posting.id AND overlay(posting.id::text PLACING 'ffffffff' FROM 29 FOR 8)::uuid)
    ORDER BY posting.id LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED))
