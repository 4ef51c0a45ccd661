"""The REST API: one module for each noun. A route parses, authorises, calls one action and answers with a wire model.

accounts/   login, users and passwords, quotas, the admin's pages
jobs/       extensions, jobs, workers, postings, profiles
room_data/  what a room stores: frames, files, selections, geometries, figures, bookmarks, metadata
rooms/      rooms and members, locks, changes and undo, chat, presence, the current step
service/    health checks and metrics, the API documentation, the web app
"""

from workroom.server.routes.accounts import admin, api_tokens, external_login, login, oidc, quotas, users
from workroom.server.routes.jobs import (
    bulk,
    ended_jobs,
    extensions,
    job_lists,
    jobs,
    posting_failures,
    postings,
    presets,
    profiles,
    workers,
)
from workroom.server.routes.room_data import (
    bookmarks,
    figures,
    files,
    frames,
    geometries,
    input_files,
    metadata,
    selections,
)
from workroom.server.routes.rooms import changes, chat, locks, members, presence, queue, rooms, state, step, thumbnail
from workroom.server.routes.service import api_docs, docs_site, health, webapp

# Starlette tries routes in this order: the most frequent come first, and `webapp`, which matches any path, last.
ROUTES = (
    extensions,
    jobs,
    job_lists,
    ended_jobs,
    bulk,
    workers,
    frames,
    files,
    input_files,
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
    posting_failures,
    presets,
    profiles,
    chat,
    rooms,
    thumbnail,
    members,
    quotas,
    api_tokens,
    users,
    login,
    external_login,
    oidc,
    health,
    api_docs,
    docs_site,
    admin,
    webapp,
)
