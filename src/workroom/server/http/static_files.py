"""A folder of built files, which the server serves as they are: the web app, the documentation.

Text files are kept compressed alone (`app.js.gz` is served as `app.js`), which makes the wheel and the installation a
third of the size. Nearly every client accepts gzip; for any other a file is unpacked when it is asked for.
"""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response

_PACKED = ".gz"


class BuiltFile(NamedTuple):
    content: bytes
    is_packed: bool  # with gzip
    media_type: str

    @property
    def body(self) -> bytes:
        return gzip.decompress(self.content) if self.is_packed else self.content

    @property
    def is_page(self) -> bool:
        return self.media_type == "text/html"


class BuiltFolder:
    """The files of one build. They are read once, and again after the next build."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def built_at(self) -> float:
        """When `index.html` was written; 0 if there is no build."""
        try:
            return (self.folder / "index.html").stat().st_mtime
        except OSError:
            return 0.0

    def find(self, path: str) -> BuiltFile | None:
        """Only listed names are read: a request path never reaches the file system."""
        built_at = self.built_at()
        return _read(self.folder, path, built_at) if path in _list_files(self.folder, built_at) else None


@lru_cache(maxsize=4)
def _list_files(folder: Path, built_at: float) -> frozenset[str]:
    if not built_at:
        return frozenset()
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return frozenset(str(PurePosixPath(file)).removesuffix(_PACKED) for file in files)


@lru_cache(maxsize=1024)
def _read(folder: Path, path: str, built_at: float) -> BuiltFile:
    file = folder / path
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    packed = file.with_name(file.name + _PACKED)
    is_packed = packed.is_file()
    return BuiltFile((packed if is_packed else file).read_bytes(), is_packed, media_type)


def respond(request: Request, file: BuiltFile, cache_control: str, policy: str) -> Response:
    """Send a file, compressed if the client accepts that. A page gets the content security policy."""
    accepted = request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": cache_control, "Vary": "Accept-Encoding"}
    if file.is_page:
        headers["Content-Security-Policy"] = policy
    if file.is_packed and "gzip" in accepted:
        headers["Content-Encoding"] = "gzip"
        return Response(file.content, media_type=file.media_type, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)
