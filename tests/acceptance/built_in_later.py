"""Built-in extensions of a later version: other ones."""

from __future__ import annotations

from typing import Any

from workroom import Extension


class Later(Extension):
    category = "built-in"

    def run(self, vis: Any, **kwargs: Any) -> None:
        return None
