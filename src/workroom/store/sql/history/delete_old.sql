-- Delete hours that are older than they are kept, a bounded number at a time.
DELETE FROM job_history WHERE ctid = ANY (ARRAY(
    SELECT job_history.ctid FROM job_history WHERE job_history.hour < %(before)s LIMIT %(limit)s))
