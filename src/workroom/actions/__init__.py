"""State changes: each action is one transaction, and only actions change state.

    engine       runs an action in a transaction and announces its events after the commit
    events       what actions announce
    delete_in_batches  delete many rows in bounded batches
    encoding     JSON that the database can store, with size limits
    flush_ended_job_counts  writes how many jobs ended, how long they waited and ran
    profiles     stored profiles of jobs
    jobs/        submit, post, assign, report, cancel, retry, rescue, prune
    postings/    pause, resume, cancel and read postings
    extensions/  register, resolve, check arguments, settings, retention
    forms/       uploaded files of fields, saved values
    quotas/      limits of accounts and rooms, and their checks
    workers/     register, attach, heartbeat, leave; throughput
    queries/     read jobs, workers, extensions and totals
    rooms/       rooms, members, chat, frames, items, locks, history and undo
    accounts/    accounts, roles, passwords, the audit log

An action applies a rule of `domain`, runs statements of `store`, and records events. The events are announced after the
commit, never before. They are only signals: a receiver reads the tables. Actions know nothing of HTTP or sockets.
"""
