"""PostgreSQL, and nothing else knows SQL.

`sql/<noun>/<verb>.sql` holds one statement each, with its purpose as the first line; `jobs`, `workers`, `extensions`,
`postings`, `accounts`, `rooms` and so on hold one typed function for each statement. `database` is the pool of
connections, `embedded` the
PostgreSQL that comes with Workroom, `migrate` the way from one schema to the next.

Nothing here decides anything: rules are in `domain`, and `actions` choose which statements make one transaction.
"""
