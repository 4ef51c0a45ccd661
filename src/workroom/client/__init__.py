"""The Python client: rooms, jobs, frames, items, locks and chat of a server.

There is one implementation, and it is asynchronous. The blocking classes run it on one event loop in a background
thread:

    Room, JobHandle (sync)  ──portal──►  AsyncRoom, AsyncJobHandle
                                             │ requests           │ events
                                         ApiClient ── tokens   EventStream ── Socket

    frames/           the trajectory: frames as ase.Atoms, indexing, prefetching, batched writes, files
    items/            selections, bookmarks, geometries, figures, metadata, step, changes and undo
    net/              HTTP, tokens, the Socket.IO connection and its events
    arguments         arguments of extensions as JSON
    choices_decorator `@choices`: methods that answer which values a field can have
    chat_message      chat messages
    discovery         default server URL, guest name and data folder of this machine
    extension         `Extension`, the base class of all extensions, and `Category`
    input_file        `File`, a field of an extension whose value is a file: upload and download
    jobs              `AsyncJobHandle`: wait for a job, its result, its logs, cancel and retry
    locks             locks held by this client, and their refreshing
    representations   tables for the terminal and HTML for notebooks
    portal            blocking calls into the background event loop
    job_progress_bar  progress bar of a job on the terminal
    async_room        `AsyncRoom`
    blocking_room     `Room`, `JobHandle`: the blocking classes
"""
