"""Retention: how long rows are kept that nothing needs any more, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Retention:
    """How long upkeep keeps each kind of old row. Ended jobs have their own period, `Timing.keep`."""

    changes: float = 365 * _DAY  # since the change was made; a change that can still be undone is never deleted
    audit: float = 365 * _DAY  # since the audited action
    notices: float = 30 * _DAY  # since the chat notice about a failed job was posted; it stays as long as its job
    guests: float = 90 * _DAY  # since the last sign-in of a guest that nothing refers to
    links: float = 7 * _DAY  # since the share link expired
    extensions: float = 90 * _DAY  # since the extension was removed
    offline: float = _DAY  # since the last worker of the extension ended; it stays as long as its unfinished jobs
    history: float = 90 * _DAY  # since the hour in which the jobs ended
