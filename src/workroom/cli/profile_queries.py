"""Where `workroom profiles` reads: a server, by REST, or the database itself. Both give the same JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar
from uuid import UUID

from workroom.cli.api import Server, find_id
from workroom.cli.database import existing_database
from workroom.cli.ids import SEARCHED, match_id
from workroom.domain.errors import BadInput
from workroom.domain.names import extension_name

if TYPE_CHECKING:
    from workroom.actions.engine import Engine
    from workroom.actions.profiles import ProfileFilter
    from workroom.wire.base import Answer

T = TypeVar("T")


class Chosen(NamedTuple):
    """Which profiles are meant."""

    since: datetime | None = None
    until: datetime | None = None
    posting: str | None = None
    version: str | None = None
    machine: str | None = None


class ProfileQueries(Protocol):
    """The questions of the commands. Each answer is the JSON of the route of the same name."""

    def functions(self, chosen: Chosen, limit: int) -> dict[str, Any]: ...

    def top(self, function: str, chosen: Chosen, order: str, limit: int) -> dict[str, Any]: ...

    def callers(self, function: str, chosen: Chosen, of: str | None, limit: int) -> dict[str, Any]: ...

    def diff(self, function: str, a: str, b: str, limit: int) -> dict[str, Any]: ...

    def export(self, function: str, chosen: Chosen, format: str) -> bytes: ...


class FromServer:
    def __init__(self, server: Server) -> None:
        self._server = server

    def functions(self, chosen: Chosen, limit: int) -> dict[str, Any]:
        if chosen.posting or chosen.version or chosen.machine:
            raise BadInput("--posting, --version and --machine need FUNCTION.")
        return self._server.get("/api/profiles", limit=limit, **self._params(chosen))

    def top(self, function: str, chosen: Chosen, order: str, limit: int) -> dict[str, Any]:
        return self._server.get(
            f"/api/profiles/{extension_name(function)}/top", order=order, limit=limit, **self._params(chosen)
        )

    def callers(self, function: str, chosen: Chosen, of: str | None, limit: int) -> dict[str, Any]:
        return self._server.get(
            f"/api/profiles/{extension_name(function)}/callers", of=of, limit=limit, **self._params(chosen)
        )

    def diff(self, function: str, a: str, b: str, limit: int) -> dict[str, Any]:
        return self._server.get(f"/api/profiles/{extension_name(function)}/diff", a=a, b=b, limit=limit)

    def export(self, function: str, chosen: Chosen, format: str) -> bytes:
        return self._server.download(
            f"/api/profiles/{extension_name(function)}/export", format=format, **self._params(chosen)
        )

    def _params(self, chosen: Chosen) -> dict[str, Any]:
        posting = None if chosen.posting is None else str(find_id(self._server, chosen.posting, "posting"))
        times = {"since": chosen.since, "until": chosen.until}
        return {name: None if time is None else time.isoformat() for name, time in times.items()} | {
            "posting": posting,
            "version": chosen.version,
            "machine": chosen.machine,
        }


class FromDatabase:
    def __init__(self, url: str | None, data: Path | None) -> None:
        self._url = url
        self._data = data

    def functions(self, chosen: Chosen, limit: int) -> dict[str, Any]:
        from workroom.actions.profiles import list_functions
        from workroom.server.serializers import profiles

        which = self._filter(chosen)
        return _json(profiles.functions(self._query(lambda engine: list_functions(engine, which, limit=limit))))

    def top(self, function: str, chosen: Chosen, order: str, limit: int) -> dict[str, Any]:
        from workroom.actions.profiles import summarise
        from workroom.server.serializers import profiles

        which = self._filter(chosen)
        found = self._query(lambda engine: summarise(engine, function, which))
        return _json(profiles.top(found, order=order, limit=limit))

    def callers(self, function: str, chosen: Chosen, of: str | None, limit: int) -> dict[str, Any]:
        from workroom.actions.profiles import summarise
        from workroom.server.serializers import profiles

        which = self._filter(chosen)
        found = self._query(lambda engine: summarise(engine, function, which, pairs=True))
        return _json(profiles.callers(found, of=of, limit=limit))

    def diff(self, function: str, a: str, b: str, limit: int) -> dict[str, Any]:
        from workroom.actions.profiles import ProfileFilter, compare, parse_side
        from workroom.server.serializers import profiles

        sides = parse_side(a, ProfileFilter()), parse_side(b, ProfileFilter())
        return _json(profiles.diff(self._query(lambda engine: compare(engine, function, *sides)), limit=limit))

    def export(self, function: str, chosen: Chosen, format: str) -> bytes:
        from workroom.actions.profiles import export

        which = self._filter(chosen)
        return self._query(lambda engine: export(engine, function, which, format))

    def _filter(self, chosen: Chosen) -> ProfileFilter:
        from workroom.actions.profiles import ProfileFilter

        posting = None if chosen.posting is None else match_id(chosen.posting, "posting", self._newest_postings)
        return ProfileFilter(None, chosen.since, chosen.until, posting, chosen.version, chosen.machine)

    def _newest_postings(self) -> list[UUID]:
        from workroom.actions.postings.postings import postings_of

        return [one.id for one in self._query(lambda engine: postings_of(engine, limit=SEARCHED))]

    def _query(self, query: Callable[[Engine], Awaitable[T]]) -> T:
        from workroom.actions.engine import Engine
        from workroom.store.database import Database
        from workroom.store.migrate import require_head

        async def run(database_url: str) -> T:
            async with Database(database_url, connections=1) as opened:
                return await query(Engine(opened))

        with existing_database(self._url, self._data) as database_url:
            require_head(database_url)
            return asyncio.run(run(database_url))


def parse_time(text: str) -> datetime | None:
    """A time as people write it; without a zone it is local time."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        raise BadInput(f"{text!r} is no time: write 2026-01-31 or 2026-01-31T12:00.") from None


def local_side(text: str) -> str:
    """A side of a comparison, with the offsets of its times: without a zone they are local times."""
    if ".." not in text or text.startswith(("posting:", "version:", "machine:")):
        return text
    ends = (parse_time(end) for end in text.split("..", 1))
    return "..".join("" if end is None else end.isoformat() for end in ends)


def _json(answer: Answer) -> dict[str, Any]:
    return answer.model_dump(mode="json", by_alias=True)
