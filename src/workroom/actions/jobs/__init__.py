"""Actions on jobs, from submission to deletion. Each transition is one guarded statement.

checked_requests  check the arguments of a request for jobs, then submit or post
options           options of a job and their limits
submit            queue single jobs, or assign them at once to an idle remote worker
post              queue many jobs: a posting, or jobs without a posting
call_chunks       the calls of a posting, encoded in chunks of bounded size
add_dependencies  record the jobs and postings that a new job waits for
assign            assign waiting jobs to workers
report            reports of workers: started, succeeded, failed, cancelled
propagate         consequences of transitions: postings, dependents, idle workers
logs              log lines and progress of running jobs
cancel            cancel jobs
retry             submit an ended job again
schedule          jobs whose start time has come
rescue            jobs of lost workers, unconfirmed assignments, timeouts
prune             delete old jobs and the rows that only they needed
"""
