"""The rules of jobs, as pure functions and values.

backoff            pause before a retry: exponential, with jitter
breaker            circuit breaker for each (extension, worker)
fair_queue         queue order: priority, then fair turns between users, then age
job_error          errors of failed jobs as {type, message, traceback, reason}
job_filter         which jobs a list shows, and in which order
ended_job_counts   how many jobs ended and how long they took, by extension and room
latency            how long jobs wait and run, in buckets
outcomes           outcomes that a worker reports for an attempt
resources          what extensions ask for and workers offer: GPUs, memory, …
states             job states, verbs and the table of transitions
sweep              argument sets of a parameter sweep
worker_throughput  completed jobs per minute of a worker
heartbeat_and_lease  heartbeat, lease, grace and retention times
wait_reason        why a job is not running yet, and its estimated start
worker_loss        what happens to a job whose worker is lost
"""
