-- Make functions known; in one order, so that processes that learn the same ones do not wait for each other in a circle.
INSERT INTO profiled_function (file, line, name)
SELECT file, line, name
FROM unnest(%(files)s::text[], %(lines)s::integer[], %(names)s::text[]) AS seen (file, line, name)
ORDER BY file, line, name
ON CONFLICT (file, line, name) DO NOTHING
