"""What is learned of a request while it is handled, for its line in the log and its metrics."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

_KEY = "workroom.request"


def request_facts(scope: MutableMapping[str, Any]) -> dict[str, str]:
    """The `route` (its template) and the `account` of a request. Copies of its scope share them."""
    return scope.setdefault(_KEY, {})
