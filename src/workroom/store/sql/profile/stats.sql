-- The cost of each function in the selected profiles.
SELECT f.file, f.line, f.name, sum(s.calls)::bigint, sum(s.primitive_calls)::bigint, sum(s.own_ms), sum(s.total_ms)
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
JOIN function_stat AS s ON s.profile_id = profile.id
JOIN profiled_function AS f ON f.id = s.function_id
--< fragments/profile_filters
GROUP BY f.id, f.file, f.line, f.name
