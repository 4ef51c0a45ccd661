"""The hash that decides whether two JSON schemas are equal."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def schema_hash(schema: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a schema: the order of keys and white space do not matter."""
    canonical = json.dumps(schema, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
