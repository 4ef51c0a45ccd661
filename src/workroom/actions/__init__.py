"""What can be done: each action is one transaction.

    submit     queue jobs, one by one      report     a worker's word on its jobs
    post       queue many at once          needs      what jobs wait for
    assign     hand jobs to workers        cancel     call jobs off
    register   workers and extensions      rescue     what lost workers leave behind
    schedule   jobs whose time has come    prune      what is old enough to go
    look       how a job or a queue stands
    accounts   people, their roles         rooms      made, changed, copied; remove_room: deleted
    members    who belongs to a room       audit      who did what

An action applies a rule of `domain`, runs statements of `store`, and notes events. The events are announced after the
commit, never before: an event is a hint, the table is the truth. Actions know nothing of HTTP or sockets.
"""
