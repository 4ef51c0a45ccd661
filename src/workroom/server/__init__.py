"""REST and Socket.IO in front of the actions.

Routes and socket handlers parse, authorise, call one action and answer. They hold no state of their own: what is true
is in the database, and what is announced is a hint to look there.

    app        puts everything together           house      what a running server has at hand
    routes/    REST, one file a noun              sockets    Socket.IO, both directions
    doorman    who is asking, and what they may   herald     turns events into socket messages
    problems   errors as problem documents        settings   everything that can be configured
"""
