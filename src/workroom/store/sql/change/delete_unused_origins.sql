-- Delete the origins of old jobs that have no changes left in the room, a bounded number.
DELETE FROM change_origin
WHERE (room, job_id) IN (
    SELECT origin.room, origin.job_id FROM change_origin AS origin
    WHERE origin.job_id < %(made_before)s
      AND NOT EXISTS (SELECT FROM change WHERE change.job_id = origin.job_id AND change.room = origin.room)
    ORDER BY origin.job_id LIMIT %(limit)s)
