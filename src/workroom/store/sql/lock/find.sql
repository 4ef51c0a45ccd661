-- The lock on a target. Runs after the room's data is locked, so that the answer stays true.
SELECT live_lock.room, live_lock.target, live_lock.holder, account.name, live_lock.client, live_lock.job_id, live_lock.attempt,
       live_lock.grant_id, live_lock.fence, live_lock.message, live_lock.ttl_seconds, live_lock.acquired_at,
       live_lock.expires_at
FROM live_lock
JOIN account ON account.id = live_lock.holder
WHERE live_lock.room = %(room)s AND live_lock.target = %(target)s
