-- Totals over the selected profiles of a function.
SELECT count(*), coalesce(sum(profile.executions), 0)::bigint, coalesce(sum(profile.calls), 0)::bigint, coalesce(sum(profile.total_ms), 0)::double precision, count(profile.stacks)
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
--< fragments/profile_filters
