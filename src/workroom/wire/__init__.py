"""The messages between servers and clients: pydantic models, camelCase in JSON and snake_case in Python.

Requests forbid unknown fields, so that a misspelt field is an error. Responses may get new fields.

accounts         login, accounts, audit entries, quotas
admin            queues and settings; liveness and readiness
base             base classes of requests and responses, paged lists, problem documents
chat             chat messages
forms/           choices that a worker answers, saved values of forms
frames/          the binary format of frames
geometries       one model for each type of geometry
jobs             submissions, jobs, reports of workers, extensions
job_lists        filters and orders of lists of jobs; acts on many jobs
locks            locks, by REST and by socket
postings         postings, their jobs, results and failures
profiles         profiles of posted functions
room_items       selections, bookmarks, geometries, figures, metadata; changes and undo
rooms            rooms, members, share links, presence
socket_requests  requests by socket, and the movements of a camera
trajectories     writes, frame metadata, the state of a room
workers          registration, heartbeats, workers
"""
