"""One file for each noun of the REST interface."""

from workroom.server.routes import (
    admin,
    chat,
    docs,
    extensions,
    frames,
    health,
    jobs,
    locks,
    login,
    members,
    postings,
    presence,
    profiles,
    rooms,
    state,
    users,
    webapp,
    workers,
)

# Tried in this order: the busiest come first, and the web app takes what is left.
ROUTES = (
    extensions,
    jobs,
    workers,
    frames,
    state,
    locks,
    presence,
    postings,
    profiles,
    chat,
    rooms,
    members,
    users,
    login,
    health,
    docs,
    admin,
    webapp,
)
