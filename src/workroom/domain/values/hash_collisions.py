"""Refuses keys that were chosen to have the same hash.

A dict or set of n such keys takes n² steps to make: seconds for some thousand keys. Python protects text and bytes with
a secret, but not numbers, nor tuples of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from workroom.domain.errors import BadInput

_MOST_EQUAL = 64  # -1 and -2 have the same hash, and so have up to 35 powers of two


def check_hashes(keys: Iterable[Hashable]) -> None:
    """Raise BadInput if many keys have the same hash. Sorting finds them without making a dict or set."""
    hashes = sorted(map(hash, keys))
    for index in range(len(hashes) - _MOST_EQUAL):
        if hashes[index] == hashes[index + _MOST_EQUAL]:
            raise BadInput(f"More than {_MOST_EQUAL} keys of a dict or items of a set have the same hash. Use text.")
