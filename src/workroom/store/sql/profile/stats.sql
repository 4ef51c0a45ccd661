-- The cost of each function in the chosen profiles.
SELECT f.file, f.line, f.name, sum(s.calls)::bigint, sum(s.primitive_calls)::bigint, sum(s.own_ms), sum(s.total_ms)
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
JOIN function_stat AS s ON s.profile_id = profile.id
JOIN function AS f ON f.id = s.function_id
WHERE extension.name = %(name)s AND extension.scope = 'function'
  AND profile.submitter = %(submitter)s --? submitter
  AND profile.recorded_at >= %(since)s --? since
  AND profile.recorded_at < %(until)s --? until
  AND profile.posting_id = %(posting_id)s --? posting_id
  AND profile.code_version = %(code_version)s --? code_version
  AND profile.machine = %(machine)s --? machine
GROUP BY f.id, f.file, f.line, f.name
