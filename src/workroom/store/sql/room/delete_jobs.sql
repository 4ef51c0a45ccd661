-- Delete the jobs of a room, with their logs, progress and attempts.
DELETE FROM job WHERE room = %(name)s
