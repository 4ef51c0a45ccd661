-- What a room uses of each quota, its owner, and the limits that an admin has set for it. Single jobs are counted up to a
-- bound.
SELECT room.name, room.owner_id, room_data.bytes, room_data.length::bigint,
       (SELECT count(*) FROM (
            SELECT FROM job WHERE job.room = room.name AND job.posting_id IS NULL
                              AND job.state IN ('blocked', 'pending', 'assigned', 'running')
            LIMIT %(most_jobs)s) AS unfinished),
       (SELECT coalesce(sum(posting.total - posting.completed - posting.failed - posting.cancelled), 0)::bigint FROM posting
        WHERE posting.room = room.name AND posting.finished_at IS NULL),
       (SELECT count(*) FROM worker WHERE worker.room = room.name AND worker.ended_at IS NULL),
       (SELECT coalesce(jsonb_object_agg(quota.name, quota.value), '{}') FROM quota WHERE quota.room = room.name)
FROM room JOIN room_data ON room_data.room = room.number
WHERE room.name = %(room)s
