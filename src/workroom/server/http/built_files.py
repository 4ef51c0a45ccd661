"""A folder of built files, which the server serves as they are: the web app, the documentation."""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response

_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))


class BuiltFile(NamedTuple):
    body: bytes
    compressed: dict[str, bytes]  # by content encoding
    media_type: str

    @property
    def is_page(self) -> bool:
        return self.media_type == "text/html"


class BuiltFolder:
    """The files of one build, each with its compressed copies. They are read once, and again after the next build."""

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
    return frozenset(str(PurePosixPath(file)) for file in files if file.suffix not in (".br", ".gz"))


@lru_cache(maxsize=1024)
def _read(folder: Path, path: str, built_at: float) -> BuiltFile:
    file = folder / path
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    compressed = {
        encoding: variant.read_bytes()
        for encoding, suffix in _ENCODINGS
        if (variant := file.with_name(file.name + suffix)).is_file()
    }
    return BuiltFile(file.read_bytes(), compressed, media_type)


def respond(request: Request, file: BuiltFile, cache_control: str, policy: str) -> Response:
    """Send a file, compressed if the client accepts that. A page gets the content security policy."""
    accepted = request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": cache_control, "Vary": "Accept-Encoding"}
    if file.is_page:
        headers["Content-Security-Policy"] = policy
    for encoding, _ in _ENCODINGS:
        if encoding in accepted and encoding in file.compressed:
            headers["Content-Encoding"] = encoding
            return Response(file.compressed[encoding], media_type=file.media_type, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)
