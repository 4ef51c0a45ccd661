"""`--reload`: registers the extensions of a file again whenever it is saved."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from workroom.client.portal import Portal
from workroom.logs import get_logger
from workroom.worker.loading import is_from_file, load_file
from workroom.worker.remote.offers import offers_in
from workroom.worker.remote.worker import RemoteWorker

log = get_logger(__name__)

_LOOK_MS = 1_000  # between two checks of the file when no change is notified


class Reloader:
    """Watches one file. The worker keeps its id; running jobs finish with the code they started with."""

    def __init__(
        self,
        portal: Portal,
        worker: RemoteWorker,
        module: ModuleType,
        offer_options: Mapping[str, Any],  # keyword arguments of `offers_in`
        *,
        enabled: bool = True,
    ) -> None:
        self._portal = portal
        self._worker = worker
        self._module = module
        self._offer_options = offer_options
        self._enabled = enabled
        self._file = Path(module.__file__ or "").resolve()
        self._loaded = _version(self._file)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="reload", daemon=True)

    def __enter__(self) -> Self:
        if self._enabled:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._enabled:
            self._thread.join(2)

    def _watch(self) -> None:
        from watchfiles import watch

        # Watches the folder, since editors save by replacing the file. A save before the watch began is seen when it
        # yields for the first time.
        for _ in watch(
            self._file.parent,
            stop_event=self._stop,
            debounce=200,
            step=50,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            version = _version(self._file)
            if version not in (None, self._loaded):
                self._loaded = version
                self._reload(self._file)

    def _reload(self, file: Path) -> None:
        try:
            self._module = load_file(file) if is_from_file(self._module) else importlib.reload(self._module)
            offers = offers_in(self._module, **self._offer_options)
            self._portal.call(self._worker.replace(offers))
            log.info("reloaded: %s", ", ".join(offer.identity[1] for offer in offers))
        except CancelledError:
            pass
        except Exception as error:
            # The file may be half edited: keep the previous offers.
            log.error("%s could not be reloaded: %s: %s", file.name, type(error).__name__, error)


def _version(file: Path) -> tuple[int, int] | None:
    """Changes with every save; None while an editor replaces the file."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino
