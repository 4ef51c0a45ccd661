-- Delete old profiles with their costs.
DELETE FROM job_profile WHERE recorded_at < %(recorded_before)s
