"""The tables of the queue: one typed function per statement.

jobs        statements of `sql/job`
job_rows    rows that they return and take
room_queue  the head of a room's queue
postings    statements of `sql/posting`
workers     statements of `sql/worker`
extensions  statements of `sql/extension`
profiles    statements of `sql/profile`
"""
