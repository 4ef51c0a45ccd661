-- The cost of each pair of caller and callee in the selected profiles.
SELECT caller.file, caller.line, caller.name, callee.file, callee.line, callee.name,
       sum(c.calls)::bigint, sum(c.primitive_calls)::bigint, sum(c.own_ms), sum(c.total_ms)
FROM job_profile AS profile
JOIN extension ON extension.id = profile.extension_id
JOIN function_call AS c ON c.profile_id = profile.id
JOIN profiled_function AS caller ON caller.id = c.caller_id
JOIN profiled_function AS callee ON callee.id = c.callee_id
--< fragments/profile_filters
GROUP BY caller.id, caller.file, caller.line, caller.name, callee.id, callee.file, callee.line, callee.name
