"""Loads modules and files that define extensions and functions."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from workroom.client.extension import Extension, is_runnable
from workroom.domain.errors import BadInput
from workroom.domain.values.kinds import FILE_MODULE

# Set while a job process loads its extension: a script that offers the extension again would never end.
_loading_in_child = False


def check_not_loading_in_child() -> None:
    if _loading_in_child:
        raise BadInput(
            "This script opens a room while a job process loads its extension from it. "
            'Put everything but the classes under `if __name__ == "__main__":`.'
        )


def load(name: str) -> ModuleType:
    """Import a module by its name or file."""
    if name.endswith(".py") or os.sep in name:
        return load_file(Path(name))
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise BadInput(f"There is no module {name!r} here. Name a file (my_ext.py) or an installed module.") from None


def load_file(file: Path) -> ModuleType:
    """Load a file as a module, again at each call."""
    if not file.is_file():
        raise BadInput(f"There is no file {file}.")
    name = FILE_MODULE + file.stem
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise BadInput(f"{file} cannot be loaded as Python.")
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pydantic resolves the types of a class through it
    # Compiled here, since the import system may treat a file that was saved twice within a second as unchanged.
    exec(compile(file.read_bytes(), str(file), "exec"), vars(module))  # noqa: S102 - the file that was named
    return module


def extensions_in(module: ModuleType) -> list[type[Extension]]:
    """The extensions that a module defines itself, without those that it imports."""
    found = [thing for thing in vars(module).values() if is_runnable(thing) and thing.__module__ == module.__name__]
    return list(dict.fromkeys(found))


def is_from_file(module: ModuleType) -> bool:
    return module.__name__.startswith(FILE_MODULE)


def source_of(extension: type[Extension]) -> dict[str, Any]:
    """What another process needs to load this class."""
    module = sys.modules.get(extension.__module__)
    file = getattr(module, "__file__", None)
    if "<locals>" in extension.__qualname__ or (file is None and extension.__module__ == "__main__"):
        raise BadInput(
            f"{extension.__qualname__} cannot run in a process of its own: define it at the top of a file, "
            f"or leave out isolate=True."
        )
    by_file = extension.__module__ == "__main__" or extension.__module__.startswith(FILE_MODULE)
    return {
        "file": str(Path(file).resolve()) if by_file and file else None,
        "module": extension.__module__,
        "class": extension.__qualname__,
        "path": sys.path,
        "argv": sys.argv,
    }


def load_class(source: dict[str, Any]) -> type[Extension]:
    """Load the class in a job process."""
    global _loading_in_child  # noqa: PLW0603 - state of the process
    sys.path[:], sys.argv[:] = source["path"], source["argv"]
    _loading_in_child = True
    try:
        module = load_file(Path(source["file"])) if source["file"] else importlib.import_module(source["module"])
    finally:
        _loading_in_child = False
    found: Any = module
    for part in str(source["class"]).split("."):
        found = getattr(found, part)
    return found
