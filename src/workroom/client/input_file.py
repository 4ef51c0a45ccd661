"""`File`: a field of an extension whose value is a file.

A program gives a path, the client uploads the file with the job, and the worker downloads it before `run`. In between
it is the JSON object that the upload answered: its id, its name and its size.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from uuid import UUID

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from workroom.client.frames.files import content, save_response
from workroom.client.net.http import ApiClient
from workroom.domain.errors import BadInput, Unavailable
from workroom.domain.file_fields import FORMAT, refusal
from workroom.domain.names import room_path

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "format": FORMAT,
    "properties": {
        "file": {"type": "string", "format": "uuid"},
        "name": {"type": "string"},
        "size": {"type": "integer"},
    },
    "required": ["file", "name", "size"],
    "additionalProperties": False,
}


class File:
    """A file as the value of a field: `structure: File`. In `run` it is on the disk of the worker until `run` ends.

    `Extension(structure=Path("a.cif"))` takes a file of this machine. `room.run("modifiers/X",
    structure=File("a.cif"))` does the same without the class of the extension.
    """

    def __init__(self, path: Path | str) -> None:
        file = Path(path)
        if not file.is_file():
            raise ValueError(f"There is no file {file}.")
        self._path: Path | None = file
        self.id: UUID | None = None  # of the upload
        self.name = file.name
        self.size = file.stat().st_size
        if not self.size:
            raise ValueError(f"{file} is empty.")

    @classmethod
    def of_upload(cls, id: UUID, name: str, size: int) -> File:
        """A file that is stored at the server."""
        file = cls.__new__(cls)
        file._path, file.id, file.name, file.size = None, id, name, size
        return file

    @property
    def path(self) -> Path:
        """Where the file is on this machine."""
        if self._path is None:
            raise Unavailable(f"{self.name} is stored at the server. It is on this machine only while `run` runs.")
        return self._path

    def read_bytes(self) -> bytes:
        return self.path.read_bytes()

    def read_text(self, encoding: str = "utf-8") -> str:
        return self.path.read_text(encoding)

    def open(self) -> IO[bytes]:
        return self.path.open("rb")

    def place(self, path: Path | None) -> None:
        """Set where the content of an upload is on this machine; None: it is not here any more."""
        self._path = path

    def as_value(self) -> dict[str, Any]:
        """The value of the field in the arguments of a job."""
        if self.id is None:
            raise ValueError(f"{self.name} is not uploaded: `room.run` does that.")
        return {"file": str(self.id), "name": self.name, "size": self.size}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, File):
            return NotImplemented
        mine = (self.id, self.name, self.size, None if self.id else self._path)
        return mine == (other.id, other.name, other.size, None if other.id else other._path)

    def __hash__(self) -> int:
        return hash((self.id, self.name, self.size))

    def __repr__(self) -> str:
        return f"<File {self.name} {self.size:,} bytes>"

    @classmethod
    def _validate(cls, value: Any) -> File:
        if isinstance(value, File):
            return value
        if isinstance(value, Path):
            return cls(value)
        try:
            return cls.of_upload(UUID(value["file"]), str(value["name"]), int(value["size"]))
        except (TypeError, KeyError, ValueError):
            raise ValueError("give the file as a pathlib.Path, or as the answer of an upload") from None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls._validate,
            serialization=core_schema.plain_serializer_function_ser_schema(File.as_value, when_used="json"),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return dict(_SCHEMA)


@dataclass(frozen=True, slots=True)
class FileLimits:
    """What a field accepts: `structure: Annotated[File, FileLimits(suffixes=(".cif", ".xyz"), max_bytes=1_000_000)]`.

    Upper and lower case of a suffix are the same. The setting `input_bytes` of the server limits all files.
    """

    suffixes: Sequence[str] = ()  # empty: any
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.suffixes, str) or not all(suffix.startswith(".") for suffix in self.suffixes):
            raise TypeError(f"suffixes is a tuple of texts such as ('.cif', '.xyz'), not {self.suffixes!r}.")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = dict(handler(schema))
        if self.suffixes:
            found["suffixes"] = list(self.suffixes)
        if self.max_bytes is not None:
            found["maxBytes"] = self.max_bytes
        return found

    def _check(self, file: File) -> File:
        if reason := refusal(file.name, file.size, self.suffixes, self.max_bytes):
            raise ValueError(reason)
        return file


async def uploaded(access: ApiClient, room: str, value: Any) -> Any:
    """The value, with each file of this machine replaced by its upload."""
    files = {id(file): file for file in files_in(value) if file.id is None}
    uploads = {key: await _upload(access, room, file) for key, file in files.items()}
    return _replaced(value, lambda file: uploads.get(id(file), file)) if uploads else value


async def _upload(access: ApiClient, room: str, file: File) -> File:
    # A stream cannot be repeated, so this request renews an expired token before the upload.
    await access.get(room_path(room))
    headers = {"Content-Type": "application/octet-stream"}
    answer = await access.upload(f"{room_path(room)}/inputs", {"name": file.name}, content(file.path), headers)
    return File.of_upload(UUID(answer["file"]), answer["name"], answer["size"])


def files_in(value: Any) -> Iterator[File]:
    """The files in a value: an extension, a model, a list, a dictionary."""
    if isinstance(value, File):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from files_in(getattr(value, name))
    elif isinstance(value, dict):
        for inner in cast("dict[Any, Any]", value).values():
            yield from files_in(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Sequence[Any]", value):
            yield from files_in(inner)


def _replaced(value: Any, replacement: Callable[[File], File]) -> Any:
    if isinstance(value, File):
        return replacement(value)
    if isinstance(value, BaseModel):
        fields = {name: getattr(value, name) for name in type(value).model_fields}
        changed = {name: _replaced(inner, replacement) for name, inner in fields.items() if any(files_in(inner))}
        return value.model_copy(update=changed)
    if isinstance(value, dict):
        return {name: _replaced(inner, replacement) for name, inner in cast("dict[Any, Any]", value).items()}
    if type(value) not in (list, tuple):
        return value
    items = [_replaced(inner, replacement) for inner in cast("Sequence[Any]", value)]
    return items if isinstance(value, list) else tuple(items)


@contextmanager
def downloaded(
    value: Any, access: ApiClient, room: str, call: Callable[[Coroutine[Any, Any, Any]], Any]
) -> Generator[None]:
    """Download the files in a value, and remove them again at the end. `call` waits for a coroutine."""
    files = [file for file in files_in(value) if file.id is not None]
    if not files:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="workroom-files-") as folder:
        try:
            for number, file in enumerate(files):
                # A folder for each, because two files may have the same name.
                path = Path(folder) / str(number) / _safe_name(file.name)
                path.parent.mkdir()
                call(_download(access, room, file, path))
                file.place(path)
            yield
        finally:
            for file in files:
                file.place(None)


async def _download(access: ApiClient, room: str, file: File, path: Path) -> None:
    await save_response(access, f"{room_path(room)}/inputs/{file.id}", {}, path)
    size = await asyncio.to_thread(lambda: path.stat().st_size)
    if size != file.size:
        raise BadInput(f"{file.name} arrived with {size:,} bytes instead of {file.size:,}.")


def _safe_name(name: str) -> str:
    """The name without folders: the server removes them too, but the worker does not rely on it."""
    found = name.replace("\\", "/").rpartition("/")[2]
    return found if found not in ("", ".", "..") else "file"
