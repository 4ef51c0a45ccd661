-- Delete old profiles with their statistics.
DELETE FROM job_profile WHERE recorded_at < %(recorded_before)s
