"""An extension that does nothing: `workroom worker bench/noop.py`."""

from __future__ import annotations

from typing import Any

from workroom import Category, Extension


class Noop(Extension):
    category = Category.MODIFIER
    n: int = 0

    def run(self, vis: Any, **kwargs: Any) -> int:
        return self.n
