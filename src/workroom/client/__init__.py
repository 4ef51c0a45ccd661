"""The Python face of a server: rooms, jobs, chat.

There is one implementation, and it is asynchronous; the blocking face runs it on one event loop in the background:

    Room, JobHandle (facade)  ──portal──►  AsyncRoom, AsyncJobHandle
                                               │ requests           │ events
                                             Access ── tokens      Live ── Socket
"""
