-- Delete old chat notices about failed jobs, a bounded number. A notice stays as long as its job.
DELETE FROM chat_message
WHERE id = ANY (ARRAY(
    SELECT notice.id FROM chat_message AS notice
    WHERE notice.job_id IS NOT NULL AND notice.id < %(made_before)s
      AND NOT EXISTS (SELECT FROM job WHERE job.id = notice.job_id)
    ORDER BY notice.id LIMIT %(limit)s))
