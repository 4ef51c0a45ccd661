-- A new posting, still without jobs.
INSERT INTO posting (id, extension_id, submitter, room, label, priority, tries, timeout_seconds, backoff_base, backoff_cap, on_worker_lost)
VALUES (%(id)s, %(extension_id)s, %(submitter)s, %(room)s, %(label)s, %(priority)s, %(tries)s, %(timeout_seconds)s,
        %(backoff_base)s, %(backoff_cap)s, %(on_worker_lost)s::on_worker_lost)
