"""Fields of extensions whose value is an uploaded file.

The schema of such a field has `"format": "workroom-file"`, and its value is `{"file": id, "name": …, "size": …}`.
`suffixes` and `maxBytes` beside the format limit what the field accepts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from workroom.domain.errors import InvalidArguments

FORMAT = "workroom-file"
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class FileValue:
    """A file in the arguments of a job."""

    path: str  # of the value in the arguments, as in messages about faults
    id: UUID
    name: str
    size: int
    suffixes: tuple[str, ...] = ()  # empty: any
    max_bytes: int | None = None

    def check(self) -> None:
        """Raise InvalidArguments if the field does not accept the file."""
        if reason := refusal(self.name, self.size, self.suffixes, self.max_bytes):
            raise fault(self.path, reason)


def refusal(name: str, size: int, suffixes: Sequence[str], max_bytes: int | None) -> str | None:
    """Why a field does not accept a file, with what it accepts; None if it does."""
    if suffixes and not name.lower().endswith(tuple(suffix.lower() for suffix in suffixes)):
        return f"{name} is not accepted: choose a file whose name ends with {' or '.join(suffixes)}."
    if max_bytes is not None and size > max_bytes:
        return f"{name} takes {size:,} bytes: choose a file of at most {max_bytes:,} bytes."
    return None


def fault(path: str, message: str) -> InvalidArguments:
    return InvalidArguments(f"{path}: {message}", errors=[{"path": path, "message": message}])


def has_file_fields(schema: Any) -> bool:
    """Whether a schema has a field for a file, at any depth."""
    if isinstance(schema, Mapping):
        found = cast("Mapping[str, Any]", schema)
        return found.get("format") == FORMAT or any(map(has_file_fields, found.values()))
    return isinstance(schema, list) and any(map(has_file_fields, cast("list[Any]", schema)))


def file_values(schema: Mapping[str, Any], arguments: Any) -> list[FileValue]:
    """The files in arguments that match the schema."""
    found = _walk(schema, schema, arguments, "data", 0)
    return list({(value.path, value.id): value for value in found}.values())


def _walk(root: Mapping[str, Any], schema: Any, value: Any, path: str, depth: int) -> Iterator[FileValue]:
    if not isinstance(schema, Mapping) or not isinstance(value, dict | list) or depth > _DEEPEST:
        return
    node = cast("Mapping[str, Any]", schema)
    if node.get("format") == FORMAT and isinstance(value, dict):
        if (file := _file_value(node, cast("dict[str, Any]", value), path)) is not None:
            yield file
        return
    if isinstance(reference := node.get("$ref"), str):
        yield from _walk(root, _resolve(root, reference), value, path, depth + 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for option in node.get(keyword, ()):
            yield from _walk(root, option, value, path, depth + 1)
    if isinstance(value, dict):
        properties = node.get("properties", {})
        for name, inner in cast("dict[str, Any]", value).items():
            of_name = properties.get(name, node.get("additionalProperties"))
            yield from _walk(root, of_name, inner, f"{path}.{name}", depth + 1)
        return
    first = node.get("prefixItems", ())
    for position, inner in enumerate(cast("list[Any]", value)):
        of_item = first[position] if position < len(first) else node.get("items")
        yield from _walk(root, of_item, inner, f"{path}[{position}]", depth + 1)


def _file_value(node: Mapping[str, Any], value: dict[str, Any], path: str) -> FileValue | None:
    try:
        return FileValue(
            path,
            UUID(str(value["file"])),
            str(value.get("name", "")),
            int(value.get("size", 0)),
            tuple(map(str, node.get("suffixes", ()))),
            node.get("maxBytes"),
        )
    except (KeyError, ValueError, TypeError):
        return None  # another member of a union


def _resolve(root: Mapping[str, Any], reference: str) -> Any:
    found: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        if not isinstance(found, Mapping):
            return None
        found = cast("Mapping[str, Any]", found).get(part.replace("~1", "/").replace("~0", "~"))
    return found
