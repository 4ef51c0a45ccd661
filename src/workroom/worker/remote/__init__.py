"""The remote worker: runs extensions and functions anywhere, over outgoing connections, without a database.

server ── job:assigned, job:cancel ──► WorkerConnection ──► RemoteWorker ──► Pipeline (worker.execution)
   ▲                                   registration, socket,     │
   └───────── reports, in order ────── heartbeats, tokens  ◄── Outbox

worker              `RemoteWorker`: assignments in, executions, reports out
connection          registration, socket, heartbeats, re-registration
outbox              reports until they are acknowledged
assignment_message  the body of `job:assigned`
offering_room       the public `Room` and `AsyncRoom`, which can offer extensions
idle_exit           when a worker ends by itself: walltime, idle time
offers              the extensions and functions that a worker offers
process_info        the facts that a worker sends about its process
reload              `workroom worker --reload`
status_line         the status line on the terminal
"""
