-- How many connections this role may have in this database, and how many there are. Each limit of -1 means none.
SELECT least(
           current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
               - coalesce(current_setting('reserved_connections', true)::integer, 0), -- PostgreSQL 16 and newer
           nullif(pg_roles.rolconnlimit, -1), nullif(pg_database.datconnlimit, -1)),
       (SELECT count(*)::integer FROM pg_stat_activity WHERE datid IS NOT NULL)
FROM pg_roles, pg_database
WHERE pg_roles.rolname = current_user AND pg_database.datname = current_database()
