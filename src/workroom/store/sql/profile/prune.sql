-- Delete old profiles with their costs, a bounded number at a time.
DELETE FROM job_profile WHERE id = ANY (ARRAY(
    SELECT id FROM job_profile WHERE recorded_at < %(recorded_before)s ORDER BY recorded_at LIMIT %(limit)s))
