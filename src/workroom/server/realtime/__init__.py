"""Socket.IO: connections, handlers of incoming events, and publishing of events to rooms, people and workers.

hub                       the Socket.IO server: channels, tokens of sockets, sending to a channel
transport/                the fast WebSocket transport, and JSON of messages
handlers                  connecting, joining rooms, chat, reports of workers
lock_and_step_handlers    locks and the step of a room
camera_handlers           following the camera of a person
handler_wrapper           parsing of messages, acknowledgements
publisher                 turns events of actions into socket messages
ordered_sender            events that wait to be sent, in their order
job_feed                  `job:state_changed` to rooms and submitters: merges changes of a job, caches job summaries
assignment_push           `job:assigned` and `job:cancel` to remote workers
choices_requests          questions of forms that a worker answers
token_watch               closes sockets whose token or job has ended
presence                  which people and clients are in a room
posting_rate              jobs per second of a posting
posting_progress          polls the counters of postings and sends `posting:changed`
"""
