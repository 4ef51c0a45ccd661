"""All statements of the store, found by importing its modules."""

from __future__ import annotations

import gc
import importlib
import pkgutil
from typing import Any

import workroom.store
from workroom.store.statement import Statement


def statements() -> list[Statement[Any]]:
    for module in pkgutil.walk_packages(workroom.store.__path__, "workroom.store."):
        if "migrations" not in module.name:  # Alembic runs those itself
            importlib.import_module(module.name)
    return [one for one in gc.get_objects() if type(one) is Statement]
