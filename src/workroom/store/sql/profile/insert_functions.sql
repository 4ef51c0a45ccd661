-- Insert functions, in a fixed order, so that processes that insert the same ones cannot deadlock.
INSERT INTO profiled_function (file, line, name)
SELECT file, line, name
FROM unnest(%(files)s::text[], %(lines)s::integer[], %(names)s::text[]) AS seen (file, line, name)
ORDER BY file, line, name
ON CONFLICT (file, line, name) DO NOTHING
