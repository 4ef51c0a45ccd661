"""Postings: many calls of one function, posted and followed from a script, a notebook or another job.

Registry["resize"].post_work(…) ──► resolve_backend ──► PostgresBackend   straight to the database
                                         │          └─► HttpBackend       through a server
                                         ▼
Posting.wait().results()  ◄── CompletionListener: the notification of the end, with the result of a single call

posting              `Posting`: counters, results, failures, pause, resume, cancel, retry
call_outcomes        counters, outcomes and failures, as callers get them
posted_call          the handle of one call, which `function.submit` returns
backend              the interface of a backend, and `resolve_backend`
postgres_backend     a process with a database
http_backend         a process without one
completion_listener  LISTEN for postings that have ended
packed_calls         the calls of a posting, packed, with their unique keys
progress_bar         the progress bar on the terminal of the caller
"""
