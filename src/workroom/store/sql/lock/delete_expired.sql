-- Remove a room's locks that count no more, and those whose clients left and did not come back in time. The room's data is
-- held: nobody takes one of them anew meanwhile.
DELETE FROM room_lock
WHERE room = %(room)s
  AND (left_at < clock_timestamp() - %(grace_seconds)s * interval '1 second'
       OR NOT EXISTS (SELECT FROM live_lock WHERE live_lock.room = room_lock.room AND live_lock.target = room_lock.target))
RETURNING target
