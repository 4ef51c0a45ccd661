"""PostgreSQL: the only package that contains SQL.

    sql/              one statement per file, `sql/<noun>/<verb>.sql`; `sql/fragments` holds text that statements share
    statement         loads a file and runs it
    queue_tables/     one function per statement: jobs, postings, workers, extensions, profiles
    room_tables/      one function per statement: rooms, frames, items, changes, locks, chat, share links
    accounts          one function per statement: accounts and the audit log
    api_tokens        one function per statement: API tokens
    quotas            one function per statement: usage and limits of accounts and rooms
    database          the connection pool, transactions with retries, errors
    database_disk     whether the disk of the database is full
    array_parameters  binary arrays as parameters
    paging            pages of a list with its total
    notifications     LISTEN for work and for ended postings
    dump              write all data to a file, and restore it
    connections/      checks before a process uses a database: poolers, the budget of connections
    leadership        the advisory lock that one process holds to do upkeep
    connect           a single connection, with errors that explain what is wrong
    health            the clock and the pools of a database, for monitoring
    migrate           bring the schema to the newest version
    migrations/       the versions of the schema
    schema_docs       the reference page of the schema
    embedded/         the PostgreSQL that comes with Workroom

This package decides nothing: rules are in `domain`, and `actions` choose which statements form a transaction.
"""
