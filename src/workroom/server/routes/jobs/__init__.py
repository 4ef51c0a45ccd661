"""Routes about the job queue.

extensions  list a room's extensions, submit jobs, statistics
jobs        list, read, cancel and retry jobs; status, progress and logs that workers report
bulk        cancel or retry many jobs
postings    post many calls of a function or a sweep of an extension; progress, results, pause, resume, cancel
posting_requests  the room, the lines and the calls of a request that posts
profiles    where the time of posted functions goes
workers     register, heartbeat, drain and remove workers
"""
