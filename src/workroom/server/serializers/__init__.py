"""Conversions between rows or events and wire models.

ended_jobs      how many jobs ended, and how long they took
jobs            jobs, extensions, workers and chat messages
postings        postings, their jobs, results and failures
profiles        profiles of posted functions
room_items      locks, changes, and the items of a room
one_line_summary  arguments and results in one line, for lists of jobs
report_parser   status updates of workers as reports of the domain
"""
