"""The REST API: one module for each noun. A route parses, authorises, calls one action and answers with a wire model.

accounts/   login, users and passwords, quotas, the admin's pages
jobs/       extensions, jobs, workers, postings, profiles
room_data/  what a room stores: frames, files, selections, geometries, figures, bookmarks, metadata
rooms/      rooms and members, locks, changes and undo, chat, presence, the current step
service/    health checks and metrics, the API documentation, the web app
"""

from workroom.server.routes.accounts import admin, login, quotas, users
from workroom.server.routes.jobs import bulk, extensions, jobs, postings, profiles, workers
from workroom.server.routes.room_data import bookmarks, figures, files, frames, geometries, metadata, selections
from workroom.server.routes.rooms import changes, chat, locks, members, presence, queue, rooms, state, step
from workroom.server.routes.service import docs, health, webapp

# Starlette tries routes in this order: the most frequent come first, and `webapp`, which matches any path, last.
ROUTES = (
    extensions,
    jobs,
    bulk,
    workers,
    frames,
    files,
    state,
    queue,
    step,
    locks,
    selections,
    geometries,
    figures,
    bookmarks,
    metadata,
    changes,
    presence,
    postings,
    profiles,
    chat,
    rooms,
    members,
    quotas,
    users,
    login,
    health,
    docs,
    admin,
    webapp,
)
