-- Delete jobs that ended long ago, oldest first, a bounded number at a time.
DELETE FROM job WHERE ctid = ANY (ARRAY(
    SELECT job.ctid FROM job
    WHERE job.id < %(made_before)s AND job.finished_at < %(ended_before)s
      AND NOT EXISTS (SELECT FROM dependency WHERE dependency.needs_job = job.id AND dependency.ended_at IS NULL)
    ORDER BY job.id LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED))
