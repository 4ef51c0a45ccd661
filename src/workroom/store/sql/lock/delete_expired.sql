-- Delete the locks of a room that are no longer live, or whose client did not reconnect in time. The room's data is locked,
-- so that no lock is granted meanwhile.
DELETE FROM room_lock
WHERE room = %(room)s
  AND (left_at < clock_timestamp() - %(grace_seconds)s * interval '1 second'
       OR NOT EXISTS (SELECT FROM live_lock WHERE live_lock.room = room_lock.room AND live_lock.target = room_lock.target))
RETURNING target
