"""The tables of the queue: one typed function per statement.

jobs        statements of `sql/job`
job_rows    rows that they return and take
job_list    lists of jobs, with their filters and orders
dependencies  graphs of dependencies
room_queue  the head of a room's queue
postings    statements of `sql/posting`
workers     statements of `sql/worker`
celery      messages to a Celery broker, and the claim of one named job
extensions  statements of `sql/extension`
ended_job_counts  statements of `sql/history`
latencies   statements of `sql/latency`
profiles    statements of `sql/profile`
"""
