-- The stacks of the selected profiles, the newest first.
SELECT profile.stacks
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
--< fragments/profile_filters
  AND profile.stacks IS NOT NULL
ORDER BY profile.recorded_at DESC LIMIT %(limit)s
