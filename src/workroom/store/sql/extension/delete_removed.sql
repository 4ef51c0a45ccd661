-- Delete extensions that were removed long ago and have no jobs, postings or profiles left, a bounded number.
DELETE FROM extension
WHERE removed_at < %(before)s AND id = ANY (ARRAY(
    SELECT old.id FROM extension AS old
    WHERE old.removed_at < %(before)s
      AND NOT EXISTS (SELECT FROM posting WHERE posting.extension_id = old.id)
      AND NOT EXISTS (SELECT FROM job WHERE job.extension_id = old.id)
      AND NOT EXISTS (SELECT FROM job_profile WHERE job_profile.extension_id = old.id)
    ORDER BY old.removed_at LIMIT %(limit)s))
