"""Conversions between rows or events and wire models.

jobs            jobs, extensions, workers and chat messages
postings        postings, their jobs, results and failures
room_items      locks, changes, and the items of a room
one_line        arguments and results in one line, for lists of jobs
report_parser   status updates of workers as reports of the domain
"""
