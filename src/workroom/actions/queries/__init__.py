"""Reads that change nothing.

jobs        jobs, their attempts and their place in the queue
ended_jobs  how many jobs ended over the last days, and how long they took
room_queue  how many jobs of a room work and wait, and which are next
workers     workers of a room
extensions  extensions of a room, with their workers and queues
changes     the history of a room
broker      which jobs need a message in a Celery broker, and which workers read it
overview    totals over all queues, rooms that an event concerns, database ping
"""
