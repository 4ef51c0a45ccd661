"""The rules as pure code: no I/O, no clock (`now` is an argument), no import of another layer.

    jobs/         the rules of jobs: states, retries, fairness, circuit breakers, wait reasons, sweeps
    rooms/        the rules of rooms: rights, locks, trajectory edits, undo, items
    values/       Python values as JSON, and as people read them
    api_token_scopes  what API tokens may do
    data_folder   the default data folder of a server
    role_of_groups     the role that the groups of a person give
    file_fields   fields of extensions whose value is an uploaded file
    errors        the tree of errors, with the code, HTTP status and default message of each
    ids           UUIDv7 ids of postings and their jobs
    limits        maximum sizes and counts
    names         which names rooms, extensions, categories and accounts may have
    profiles      execution profiles: costs per function, differences, pstats and speedscope formats
    quotas        how much of the server accounts and rooms may use
    retention     how long old rows are stored
    schema_hash   hash that decides whether two JSON schemas are equal

PostgreSQL enforces the same rules by constraints and guarded statements; the tests check both.
"""
