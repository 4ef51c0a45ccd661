"""Writes the reference pages that are made from the code: `make docs`. A test fails when one is out of date."""

from __future__ import annotations

from pathlib import Path

from workroom.domain.errors import every_error
from workroom.server.settings import Settings

REFERENCE = Path(__file__).parent / "reference"


def settings() -> str:
    lines = [
        "# Settings",
        "",
        "Each is set by a flag of `workroom serve`, by a variable `WORKROOM_<NAME>`, or in `workroom.toml` in the data",
        "folder (or the file that `WORKROOM_CONFIG` names), in this order. `workroom config show` tells each value and",
        "where it comes from.",
        "",
        "| setting | default | meaning |",
        "| --- | --- | --- |",
    ]
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        shown = "" if default in (None, []) else f"`{default}`"
        lines.append(f"| `{name}` | {shown} | {field.description} |")
    return "\n".join(lines) + "\n"


def errors() -> str:
    lines = [
        "# Errors",
        "",
        "Every error is an RFC 9457 problem document (`application/problem+json`) with a stable `code`; the client",
        "in Python raises the class again. Further facts stand beside: `errors` (path and message of each),",
        "`currentHash`, `retryAfter` and so on.",
        "",
        "| code | HTTP | class | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for error in every_error():
        meaning = (error.__doc__ or "").strip().splitlines()[0]
        lines.append(f"| `{error.code}` | {error.status} | `{error.__name__}` | {meaning} |")
    lines += [
        "",
        "Besides: `invalid_request` (422, a request whose shape is wrong; `errors` names each field) and",
        "`method_not_allowed` (405).",
    ]
    return "\n".join(lines) + "\n"


PAGES = {"settings.md": settings, "errors.md": errors}

if __name__ == "__main__":
    for name, render in PAGES.items():
        (REFERENCE / name).write_text(render())
