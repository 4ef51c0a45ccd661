"""Between the routes and the actions of jobs: batching of writes, caching, and matching after a commit.

batcher                groups items by key and writes them in batches
submit_batcher         batches submitted jobs by extension
report_batcher         batches the reports of workers by worker, in their order
extension_cache        extensions by name, for one second
rematcher              matches waiting jobs and free workers again after a commit
notification_listener  LISTEN on the database's channels for work and for servers
cancel_forwarder       `job:cancel` for jobs that another process has cancelled
throughput_flusher     writes the counts of ended jobs
"""
