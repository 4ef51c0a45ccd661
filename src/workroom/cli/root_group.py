"""The command `workroom` itself: errors of all commands, `workroom FILE…`, and words that are no command."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typer.core import TyperGroup

from workroom.cli.database import print_errors
from workroom.cli.metavars import set_metavars

_PIPE_COLUMNS = 120


class RootGroup(TyperGroup):
    """If the first argument is a file or looks like one, or is an option of `open`, `open` is inserted before it.

    Any other unknown word is an error, so that a mistyped command is not taken for a file.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._terminal_markup: Any = self.rich_markup_mode

    def main(self, *args: Any, **given: Any) -> Any:
        self.rich_markup_mode = self._terminal_markup if sys.stderr.isatty() else None  # of errors
        return super().main(*args, **given)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_terminal = sys.stdout.isatty()
        set_help_style([self], self._terminal_markup if is_terminal else None)
        ctx.terminal_width = None if is_terminal else _PIPE_COLUMNS
        set_metavars([self], ctx.help_option_names)
        own_options = {option for parameter in self.get_params(ctx) for option in parameter.opts}
        if args and args[0] not in self.commands and args[0].partition("=")[0] not in own_options:
            if not args[0].startswith("-") and not looks_like_a_file(args[0]):
                ctx.fail(_no_such_command(args[0], list(self.commands)))
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with print_errors():
            return super().invoke(ctx)


def set_help_style(commands: Iterable[Any], markup: Any) -> None:
    """Help with boxes and colours for a terminal; without markup plain text, whose examples are not wrapped."""
    for command in commands:
        command.rich_markup_mode = markup
        if markup is None and command.epilog and not command.epilog.startswith("\b"):
            command.epilog = "\b\n" + command.epilog.replace("\n\n", "\n")
        set_help_style(getattr(command, "commands", {}).values(), markup)


def looks_like_a_file(word: str) -> bool:
    return "." in word or "/" in word or Path(word).exists()


def _no_such_command(word: str, commands: list[str]) -> str:
    close = difflib.get_close_matches(word, commands, n=3)
    hint = f" Did you mean {' or '.join(close)}?" if close else " `workroom --help` lists the commands."
    return f"There is no command {word!r}, nor a file of this name.{hint}"
