"""The rules, as pure code: no I/O, no clock (`now` is an argument), no other layer.

    states     what a job can be, which verbs move it, and where to
    loss       what becomes of a job whose worker is lost
    backoff    how long a failed try waits before the next
    fair       whose job comes next when several people wait
    breaker    when a worker stops getting an extension it keeps failing
    waiting    why a job is not running yet, and how long it may take
    names      which names rooms, extensions and accounts may have
    rights     what people may do in a room
    schema     the fingerprint that decides whether two schemas are the same
    ids        how the ids of a posting and of its jobs hang together
    limits     how large and how many
    errors     everything that can go wrong on purpose

PostgreSQL enforces the same rules by constraints and guarded statements; the tests walk both.
"""
