-- Delete extensions that were removed long ago, and functions that were last registered as long ago and that no live worker offers, if they
-- have no jobs, postings or profiles left; a bounded number.
DELETE FROM extension
WHERE CASE WHEN scope = 'function' THEN coalesce(removed_at, updated_at) ELSE removed_at END < %(before)s AND id = ANY (ARRAY(
    SELECT old.id FROM extension AS old
    WHERE CASE WHEN old.scope = 'function' THEN coalesce(old.removed_at, old.updated_at) ELSE old.removed_at END < %(before)s
      AND NOT EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
                      WHERE offer.extension_id = old.id AND worker.ended_at IS NULL)
      AND NOT EXISTS (SELECT FROM posting WHERE posting.extension_id = old.id)
      AND NOT EXISTS (SELECT FROM job WHERE job.extension_id = old.id)
      AND NOT EXISTS (SELECT FROM job_profile WHERE job_profile.extension_id = old.id)
    ORDER BY old.id LIMIT %(limit)s))
