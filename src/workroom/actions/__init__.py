"""The actions: everything that changes state. Each action is one transaction.

An action applies rules of `domain`, runs statements of `store`, and records events. The engine announces them after the
commit, never before. Actions know nothing of HTTP or sockets.

    engine       runs an action in a transaction and announces its events
    events/      what happened: dataclasses, one for each kind of event
    jobs/        submit, post, assign, report, cancel, rescue, schedule and prune jobs; their logs
    postings/    pause, resume, cancel and read postings
    extensions/  arguments and retention of extensions
    workers/     register workers and their extensions; throughput
    rooms/       rooms and their content: frames, items, chat, locks, undo
    accounts/    accounts and the audit log
    profiles     store and read profiles of functions
    queries/     read jobs, queues and statistics
    batches      delete many rows in bounded batches
    encoding     encode values as JSON, within limits
"""
