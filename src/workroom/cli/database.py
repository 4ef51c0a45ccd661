"""The database of a command (a URL, a running embedded one, or one that the command starts), and printing of errors."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.text import Text

from workroom.domain.errors import DataFolderInUse, DataFolderUnusable, WorkroomError
from workroom.extras import naming_extras

_CHECK_SECONDS = 1.0
_CHECKS_BEFORE_GONE = 3


def warning_of_password(name: str) -> Callable[[str | None], str | None]:
    """A callback for the option of this name: all users of a machine can read the arguments of all programs."""

    def warn(url: str | None) -> str | None:
        if url and urlsplit(url).password and any(url in argument for argument in sys.argv):
            Console(stderr=True, soft_wrap=True).print(
                f"warning: every user of this machine can read the password in --{name}. "
                f"Set WORKROOM_{name.upper()} instead."
            )
        return url

    return warn


DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        callback=warning_of_password("database"),
        envvar="WORKROOM_DATABASE",
        metavar="URL",
        help="URL of a PostgreSQL ≥ 15. Default: the embedded one.",
    ),
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        envvar="WORKROOM_DATA",
        metavar="DIR",
        help="The data folder, with the embedded database. Default: see `workroom config show`.",
    ),
]


@contextmanager
def database(url: str | None, data: Path | None, *, own: bool = False) -> Generator[str]:
    """The URL of the database. With `own`, this process must start and stop the embedded database itself."""
    if url:
        yield url
        return
    from workroom.store.embedded import EmbeddedPostgres, default_data_folder, running_url

    folder = data or default_data_folder()
    shared = None if own else running_url(folder)
    if shared:
        yield shared
        return
    postgres = EmbeddedPostgres(folder)
    try:
        postgres.start()
    except DataFolderInUse:
        # Another process started it between the check and this start.
        if own or (shared := running_url(folder)) is None:
            raise
        yield shared
        return
    with postgres:
        yield postgres.url


@contextmanager
def existing_database(url: str | None, data: Path | None) -> Generator[str]:
    """The URL of the database for a command that only reads. An embedded one must exist."""
    if not url:
        from workroom.store.embedded import default_data_folder, require_cluster, running_url

        folder = data or default_data_folder()
        if running_url(folder) is None:
            require_cluster(folder)
    with database(url, data) as at:
        yield at


class FolderWatch:
    """The state of a data folder whose embedded database this process uses; `trouble` is why it cannot any more."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder.expanduser().resolve()
        self._url = url
        self._missing = 0
        self.trouble: DataFolderUnusable | None = None

    def check(self) -> bool:
        """Whether the database can still be expected at its address. One failed check may be a hiccup of a disk."""
        from workroom.store.embedded import published_url

        self._missing = 0 if self._folder.is_dir() else self._missing + 1
        if self._missing >= _CHECKS_BEFORE_GONE:
            self.trouble = DataFolderUnusable(
                f"The data folder {self._folder} is gone, and with it the database. Start again with another --data."
            )
        elif (url := published_url(self._folder)) not in (None, self._url):
            self.trouble = DataFolderUnusable(
                f"The database of {self._folder} has moved from {self._url} to {url}. Start this command again."
            )
        return self.trouble is None


@contextmanager
def watched_folder(folder: Path, url: str, stop: Callable[[], object]) -> Generator[FolderWatch]:
    """Call `stop`, once, when the data folder is gone or its database has another address."""
    watch, ended = FolderWatch(folder, url), threading.Event()

    def run() -> None:
        while not ended.wait(_CHECK_SECONDS):
            if not watch.check():
                stop()
                return

    watcher = threading.Thread(target=run, name="data folder watch", daemon=True)
    watcher.start()
    try:
        yield watch
    finally:
        ended.set()
        watcher.join()


@contextmanager
def print_errors() -> Generator[None]:
    """End the command with the message of a WorkroomError instead of a traceback.

    The same holds for a missing optional package, and for a file or folder that this user may not open.
    """
    try:
        with naming_extras():
            yield
    except WorkroomError as error:
        _end_with(error.message, error)
    except PermissionError as error:
        if error.filename is None:
            raise
        _end_with(f"{error.filename}: {error.strerror}. Run as a user who may open it, or name another.", error)


def _end_with(message: str, error: Exception) -> NoReturn:
    Console(stderr=True, soft_wrap=True).print(Text(f"error: {message}", style="red"))
    raise typer.Exit(1) from error
