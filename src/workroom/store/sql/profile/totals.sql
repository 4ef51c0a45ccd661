-- What the chosen profiles of a function are the sum of.
SELECT count(*), coalesce(sum(profile.executions), 0)::bigint, coalesce(sum(profile.calls), 0)::bigint, coalesce(sum(profile.total_ms), 0)::double precision, count(profile.stacks)
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
WHERE extension.name = %(name)s AND extension.scope = 'function'
  AND profile.submitter = %(submitter)s --? submitter
  AND profile.recorded_at >= %(since)s --? since
  AND profile.recorded_at < %(until)s --? until
  AND profile.posting_id = %(posting_id)s --? posting_id
  AND profile.code_version = %(code_version)s --? code_version
  AND profile.machine = %(machine)s --? machine
