-- The ids of known functions.
SELECT profiled_function.id, profiled_function.file, profiled_function.line, profiled_function.name
FROM unnest(%(files)s::text[], %(lines)s::integer[], %(names)s::text[]) AS seen (file, line, name)
JOIN profiled_function USING (file, line, name)
