-- The numbers of functions that are known.
SELECT function.id, function.file, function.line, function.name
FROM unnest(%(files)s::text[], %(lines)s::integer[], %(names)s::text[]) AS seen (file, line, name)
JOIN function USING (file, line, name)
