"""Several servers on one database.

- `bus`: sends messages to the other servers, and detects lost ones
- `redis_channel`: carries the messages through Redis
- `signed_batch`: the form of the messages, signed with the servers' secret
- `event_receiver`: handles events that another process has committed
- `lost_messages`: what a server does when messages were lost
- `detached_workers`: attaches workers again whose sockets this server still has
"""
