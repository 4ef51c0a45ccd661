"""Compares the version of a client with that of its server."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

_FIX = "Install the same version of workroom on both sides."


class Fit(StrEnum):
    """How well a client fits its server."""

    SAME = "same"
    PATCHED = "patched"  # the server has a newer patch of the same version
    OTHER = "other"  # another minor version: most things work
    UNFIT = "unfit"  # another major version: the protocol differs


class Comparison(NamedTuple):
    fit: Fit
    text: str  # empty if there is nothing to warn of


def compare(own: str, server: str) -> Comparison:
    """Compare two versions. One that cannot be read fits: it is of a development version."""
    mine, theirs = _numbers(own), _numbers(server)
    if mine is None or theirs is None or mine == theirs:
        return Comparison(Fit.SAME, "")
    versions = f"This is workroom {own}, and the server has {server}"
    if mine[0] != theirs[0]:
        return Comparison(Fit.UNFIT, f"{versions}: they do not work together. {_FIX}")
    if mine[1] != theirs[1]:
        return Comparison(Fit.OTHER, f"{versions}: some things may not work. {_FIX}")
    if mine < theirs:
        return Comparison(Fit.PATCHED, f"{versions}, a newer patch. Update this side when you can.")
    return Comparison(Fit.SAME, "")


def _numbers(version: str) -> tuple[int, int, int] | None:
    found = re.match(r"(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?", version)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3] or 0))
