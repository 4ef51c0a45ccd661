-- Functions that have profiles, the most expensive first.
SELECT extension.name, count(*), sum(profile.executions)::bigint, sum(profile.calls)::bigint, sum(profile.total_ms),
       array_agg(DISTINCT profile.code_version), array_agg(DISTINCT profile.machine), min(profile.recorded_at), max(profile.recorded_at)
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
WHERE true
  AND profile.submitter = %(submitter)s --? submitter
  AND profile.recorded_at >= %(since)s --? since
  AND profile.recorded_at < %(until)s --? until
GROUP BY extension.name
ORDER BY sum(profile.total_ms) DESC, extension.name
LIMIT %(limit)s
