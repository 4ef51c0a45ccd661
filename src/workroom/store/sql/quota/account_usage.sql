-- What an account uses of each quota, its role, and the limits that an admin has set for it. Single jobs are counted up to a
-- bound; everything else is a sum of counters over the rooms, open postings and workers of the account.
SELECT account.name, account.role,
       (SELECT count(*) FROM room WHERE room.owner_id = account.id),
       (SELECT coalesce(sum(room_data.bytes), 0)::bigint FROM room JOIN room_data ON room_data.room = room.number
        WHERE room.owner_id = account.id),
       (SELECT count(*) FROM (
            SELECT FROM job WHERE job.submitter = account.id AND job.posting_id IS NULL
                              AND job.state IN ('blocked', 'pending', 'assigned', 'running')
            LIMIT %(most_jobs)s) AS unfinished),
       (SELECT coalesce(sum(posting.total - posting.completed - posting.failed - posting.cancelled), 0)::bigint FROM posting
        WHERE posting.submitter = account.id AND posting.finished_at IS NULL),
       (SELECT count(*) FROM worker WHERE worker.account_id = account.id AND worker.ended_at IS NULL),
       (SELECT coalesce(jsonb_object_agg(quota.name, quota.value), '{}') FROM quota WHERE quota.account_id = account.id)
FROM account WHERE account.id = %(account_id)s
