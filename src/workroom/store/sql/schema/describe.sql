-- Every table, view and column with its type and its comment, in the order of definition.
SELECT class.relname, obj_description(class.oid, 'pg_class'), attribute.attname,
       format_type(attribute.atttypid, attribute.atttypmod) || CASE WHEN attribute.attnotnull OR class.relkind = 'v' THEN '' ELSE ', optional' END,
       col_description(class.oid, attribute.attnum)
FROM pg_class AS class
JOIN pg_namespace AS space ON space.oid = class.relnamespace AND space.nspname = 'public'
JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
WHERE class.relkind IN ('r', 'v') AND class.relname <> 'alembic_version'
ORDER BY class.relname, attribute.attnum
