-- Whether a job waits that this worker could take; locks nothing.
SELECT EXISTS (
    --< fragments/waiting_job_for_worker
    %(id)s)
