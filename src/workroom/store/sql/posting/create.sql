-- Insert a posting without jobs. No row when its key was used before.
INSERT INTO posting (id, extension_id, submitter, room, label, priority, tries, timeout_seconds, backoff_base, backoff_cap, on_worker_lost,
                     unique_key, by_job, posted_by)
VALUES (%(id)s, %(extension_id)s, %(submitter)s, %(room)s, %(label)s, %(priority)s, %(tries)s, %(timeout_seconds)s,
        %(backoff_base)s, %(backoff_cap)s, %(on_worker_lost)s::on_worker_lost, %(unique_key)s, %(by_job)s, %(posted_by)s)
ON CONFLICT (submitter, extension_id, unique_key) WHERE unique_key IS NOT NULL DO NOTHING
RETURNING id
