"""What stands for the value of an option in --help: `N`, `SECONDS`, `URL`; nothing for a flag.

Typer shows the name of the Python type instead, like `<int range>`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

_BY_NAME = {
    "code": "CODE",
    "confine": "MODE",
    "every": "SECONDS",
    "format": "FORMAT",
    "host": "ADDRESS",
    "log_level": "LEVEL",
    "machine": "MACHINE",
    "memory_mb": "MB",
    "of": "FUNCTION",
    "password": "PASSWORD",
    "port": "PORT",
    "posting": "ID",
    "profile": "SHARE",
    "room": "ROOM",
    "since": "TIME",
    "status": "STATUS",
    "template": "FILE",
    "timeout": "SECONDS",
    "token": "TOKEN",
    "unique": "KEY",
    "until": "TIME",
    "url": "URL",
    "user": "USER",
    "version": "VERSION",
}
_BY_TYPE = {
    "bool": "",
    "int": "N",
    "int range": "N",
    "float": "N",
    "float range": "N",
    "str": "TEXT",
    "datetime": "TIME",
    "path": "PATH",
    "Path": "PATH",
}


def set_metavars(commands: Iterable[Any], help_option_names: list[str]) -> None:
    """Name the values of all options of these commands and of those below them."""
    for command in commands:
        context = typer.Context(command, help_option_names=help_option_names)
        for parameter in command.get_params(context):  # with --help
            if hasattr(parameter, "display_type"):  # an older Typer shows TEXT and INTEGER
                _set_metavar(parameter, context)
        set_metavars(getattr(command, "commands", {}).values(), help_option_names)


def _set_metavar(parameter: Any, context: typer.Context) -> None:
    if parameter.param_type_name == "argument":
        # The metavar of an argument is its name. Its type stands in a column of its own, and says nothing more.
        parameter.display_type = lambda ctx: ""  # pyright: ignore[reportUnknownLambdaType]
    elif parameter.metavar is None:
        kind = parameter.display_type(context).removeprefix("<").removesuffix(">")
        kind = kind.removeprefix("list[").removesuffix("]")
        is_flag_or_choice = kind == "bool" or "|" in kind
        parameter.metavar = (not is_flag_or_choice and _BY_NAME.get(parameter.name)) or _BY_TYPE.get(kind, kind)
