"""Upload of a file into a room, and download of frames as a file. The server converts: the client needs no ASE."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from workroom.client.jobs import AsyncJobHandle
from workroom.client.net.http import ApiClient
from workroom.domain.errors import BadInput
from workroom.domain.names import room_path
from workroom.wire.jobs import Accepted

if TYPE_CHECKING:
    from workroom.client.async_room import AsyncRoom

_CHUNK_BYTES = 512 * 1024
FORMATS = ("extxyz", "xyz", "cif", "pdb", "traj", "h5md")
_FORMATS = {"h5": "h5md", "hdf5": "h5md"}


class AsyncFiles:
    """The file methods of a room."""

    name: str

    @property
    def access(self) -> ApiClient:
        raise NotImplementedError

    async def upload(self, file: Path | str, *, name: str | None = None, format: str | None = None) -> AsyncJobHandle:
        """Upload a file and return the job that imports it into the room. `name` replaces the file's own name."""
        file = Path(file)
        if not await asyncio.to_thread(file.is_file):
            raise BadInput(f"There is no file {file}.")
        params = {"name": name or file.name} | ({"format": format} if format else {})
        # A stream cannot be repeated, so this request renews an expired token before the upload.
        await self.access.get(room_path(self.name))
        headers = {"Content-Type": "application/octet-stream"}
        answer = await self.access.upload(f"{room_path(self.name)}/files", params, content(file), headers)
        handle = AsyncJobHandle(cast("AsyncRoom", self), Accepted.model_validate(answer))
        handle.name = "Open"
        return handle

    async def download(
        self,
        file: Path | str,
        *,
        format: str | None = None,
        start: int | None = None,
        stop: int | None = None,
        step: int | None = None,
        selection: Sequence[int] | str | None = None,
    ) -> Path:
        """Download frames as a file: all or a slice of them; all atoms, or those of indices or of a named selection.

        The suffix of the file name sets the format, unless `format` is given.
        """
        file = Path(file)
        params = download_params(file.suffix, format, start, stop, step, selection)
        return await save_response(self.access, f"{room_path(self.name)}/files", params, file)


def download_params(
    suffix: str,
    format: str | None,
    start: int | None,
    stop: int | None,
    step: int | None,
    selection: Sequence[int] | str | None,
) -> dict[str, Any]:
    """The parameters of a download; `suffix` is that of the file, and sets the format unless one is given."""
    ending = (format or suffix.lstrip(".")).lower()
    chosen = _FORMATS.get(ending, ending)
    if chosen not in FORMATS:
        raise BadInput(
            f"{f'{chosen!r} is no format' if chosen else 'The file name shows no format'}: "
            f"give one of {', '.join(FORMATS)}, as the suffix of the file or as the format."
        )
    given = {"format": chosen, "start": start, "stop": stop, "step": step}
    params = {key: value for key, value in given.items() if value is not None}
    if selection is not None:
        params["selection"] = selection if isinstance(selection, str) else ",".join(map(str, selection))
    return params


async def save_response(access: ApiClient, path: str, params: dict[str, Any], file: Path) -> Path:
    """Write a response to a file, which appears when it is complete."""
    unfinished = file.with_name(f".{file.name}.part")
    try:
        with unfinished.open("wb") as target:
            await access.download(path, params, FileSink(target))
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file


class FileSink:
    """Writes a response to a file. After a broken connection it starts the file again."""

    def __init__(self, target: BinaryIO) -> None:
        self._target = target

    def begin(self, headers: Any) -> None:
        self._target.seek(0)
        self._target.truncate()

    def feed(self, piece: bytes) -> None:
        self._target.write(piece)

    def end(self) -> None:
        self._target.flush()


async def content(file: Path) -> AsyncIterator[bytes]:
    """The content of a file in chunks, for an upload."""
    with file.open("rb") as source:
        while piece := await asyncio.to_thread(source.read, _CHUNK_BYTES):
            yield piece
