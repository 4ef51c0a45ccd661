"""Events: what an action changed, announced to the process after the commit.

An action records events on its transaction; the engine announces them once the transaction is committed. An event may
be lost when a process dies in between: the tables are the truth.

    jobs        submission, state, assignment, progress and log of jobs; postings
    workers     workers and the extensions they offer
    rooms       rooms, members, changes, frames, items, locks and chat
    accounts    revoked tokens, stored settings
    cross_server  which events every server must handle, and their form in a notification
"""

from workroom.actions.events.accounts import AccountRevoked, ApiTokenRevoked, SettingsStored
from workroom.actions.events.jobs import (
    AssignmentsRepeated,
    CancelRequested,
    JobsAssigned,
    JobsMoved,
    JobSubmitted,
    LinesLogged,
    PostingChanged,
    PostingEnded,
    ProgressMade,
    WorkAppeared,
)
from workroom.actions.events.rooms import (
    ChangeMade,
    ChatDeleted,
    ChatPosted,
    FramesChanged,
    ItemsChanged,
    LockFreed,
    LockHeld,
    MembersChanged,
    PresetsChanged,
    RoomChanged,
    RoomDeleted,
    StepSet,
)
from workroom.actions.events.workers import (
    ExtensionsOffered,
    ExtensionsRemoved,
    WorkerFreed,
    WorkersChanged,
    WorkersEnded,
)

Event = (
    JobSubmitted
    | JobsMoved
    | JobsAssigned
    | AssignmentsRepeated
    | CancelRequested
    | WorkAppeared
    | ProgressMade
    | LinesLogged
    | PostingChanged
    | PostingEnded
    | WorkersChanged
    | WorkersEnded
    | WorkerFreed
    | ExtensionsOffered
    | ExtensionsRemoved
    | RoomChanged
    | RoomDeleted
    | MembersChanged
    | ChangeMade
    | FramesChanged
    | ItemsChanged
    | StepSet
    | LockHeld
    | LockFreed
    | ChatPosted
    | ChatDeleted
    | AccountRevoked
    | ApiTokenRevoked
    | SettingsStored
    | PresetsChanged
)

__all__ = [
    "AccountRevoked",
    "ApiTokenRevoked",
    "AssignmentsRepeated",
    "CancelRequested",
    "ChangeMade",
    "ChatDeleted",
    "ChatPosted",
    "Event",
    "ExtensionsOffered",
    "ExtensionsRemoved",
    "FramesChanged",
    "ItemsChanged",
    "JobSubmitted",
    "JobsAssigned",
    "JobsMoved",
    "LinesLogged",
    "LockFreed",
    "LockHeld",
    "MembersChanged",
    "PostingChanged",
    "PostingEnded",
    "PresetsChanged",
    "ProgressMade",
    "RoomChanged",
    "RoomDeleted",
    "SettingsStored",
    "StepSet",
    "WorkAppeared",
    "WorkerFreed",
    "WorkersChanged",
    "WorkersEnded",
]
