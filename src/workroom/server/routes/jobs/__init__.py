"""Routes about the job queue.

extensions  list a room's extensions, submit jobs, statistics
job_lists   lists of jobs, with filters and orders
jobs        read, cancel and retry jobs; status, progress and logs that workers report
ended_jobs  how many jobs ended over the last days, and how long they took
bulk        cancel or retry many jobs
postings    post many calls of a function or a sweep of an extension; progress, results, pause, resume, cancel
posting_failures  the failed jobs of a posting: by error, one by one, and posted again
posting_requests  the room, the lines and the calls of a request that posts
presets     saved values of forms
profiles    where the time of posted functions goes
workers     register, heartbeat, drain and remove workers
"""
