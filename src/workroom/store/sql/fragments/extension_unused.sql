-- Condition: `extension` has neither workers nor unfinished jobs.
NOT EXISTS (SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
            WHERE offer.extension_id = extension.id AND worker.ended_at IS NULL)
AND NOT EXISTS (SELECT FROM job WHERE job.extension_id = extension.id AND job.state = 'pending' AND job.run_at IS NULL)
AND (SELECT coalesce(sum(blocked + pending + active), 0) <= 0 FROM job_count WHERE job_count.extension_id = extension.id)
