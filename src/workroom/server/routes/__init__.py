"""One file for each noun of the REST interface."""

from workroom.server.routes.accounts import admin, login, users
from workroom.server.routes.jobs import extensions, jobs, postings, profiles, workers
from workroom.server.routes.room_data import bookmarks, figures, files, frames, geometries, selections
from workroom.server.routes.rooms import changes, chat, locks, members, presence, rooms, state, step
from workroom.server.routes.service import docs, health, webapp

# Tried in this order: the busiest come first, and the web app takes what is left.
ROUTES = (
    extensions,
    jobs,
    workers,
    frames,
    files,
    state,
    step,
    locks,
    selections,
    geometries,
    figures,
    bookmarks,
    changes,
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
