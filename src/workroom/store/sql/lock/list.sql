-- The live locks of a room.
SELECT live_lock.room, live_lock.target, live_lock.holder, account.name, live_lock.client, live_lock.job_id, live_lock.attempt,
       live_lock.grant_id, live_lock.fence, live_lock.message, live_lock.ttl_seconds, live_lock.acquired_at,
       live_lock.expires_at
FROM live_lock
JOIN account ON account.id = live_lock.holder
WHERE live_lock.room = %(room)s
ORDER BY live_lock.target
