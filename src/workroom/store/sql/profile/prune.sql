-- Delete profiles that are old enough to go, with what they cost.
DELETE FROM job_profile WHERE recorded_at < %(recorded_before)s
