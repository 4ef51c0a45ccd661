"""Arguments and results of extensions come back as they went."""

from __future__ import annotations

import enum
import math
import time
from collections.abc import Generator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import orjson
import pytest
from pydantic import BaseModel, Field, ValidationError
from tests.acceptance.live import LiveServer
from tests.value_corpus import CORPUS, same

from workroom import Category, Extension, JobFailed, Room
from workroom.client.arguments import arguments_of, jsonable, restore
from workroom.domain.errors import BadInput, InvalidArguments


class Mode(enum.Enum):
    FAST = "fast"


class Everything(Extension):
    """Has a field of each usual type, and one without."""

    category = Category.ANALYSIS
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    day: date = date(2026, 1, 1)
    pause: timedelta = timedelta(seconds=1.5)
    share: Decimal = Decimal("0.10")
    id: UUID = UUID(int=1)
    file: Path = Path("a/b")
    mode: Mode = Mode.FAST
    limit: float = math.inf
    limits: list[float] = Field(default_factory=lambda: [1.0, math.nan])
    pair: tuple[int, str] = (1, "a")
    names: frozenset[str] = frozenset({"x", "y"})
    data: bytes = b""
    anything: Any = None
    count: int = 1
    title: str = ""

    def run(self, vis: Any, **kwargs: Any) -> Any:
        return [getattr(self, name) for name in type(self).model_fields]


class Named(Extension):
    """Has fields with the names of options."""

    category = Category.ANALYSIS
    tries: int = 0
    priority: str = ""

    def run(self, vis: Any, **kwargs: Any) -> Any:
        return self.tries, self.priority


class Refused(Extension):
    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> Any:
        return object()


@pytest.fixture
def offering(server: LiveServer) -> Generator[Room]:
    with Room("values", server.url, "ada") as room:
        room.register_extension(Everything)
        room.register_extension(Refused)
        room.register_extension(Named)
        yield room


@pytest.mark.parametrize("name", CORPUS)
def test_fields_of_an_extension_get_what_was_given(name: str) -> None:
    given = Everything(anything=CORPUS[name], data=b"\xff\0")
    restored = restore(Everything, orjson.loads(orjson.dumps(arguments_of(given))))
    assert same([getattr(restored, name) for name in Everything.model_fields], list(dict(given).values()))


def test_values_travel_to_an_extension_and_back(offering: Room) -> None:
    given = Everything(anything=CORPUS["deep"], data=b"\xff\0")
    assert same(offering.run(given).result(30), list(dict(given).values()))
    by_name = offering.run(
        "analysis/Everything",
        at=datetime(2026, 5, 1, tzinfo=UTC),
        limits=np.array([1.5, math.inf]),
        pair=(np.int64(3), np.str_("b")),
        mode=Mode.FAST,
        file=Path("c"),
        anything=1j,
        count=10**40,
        title="a\udc80",
    ).result(30)
    assert by_name[13] == 10**40 and by_name[14] == "a\udc80"
    assert same(by_name[0], datetime(2026, 5, 1, tzinfo=UTC)) and by_name[8] == [1.5, math.inf]
    assert same(by_name[9], (3, "b")) and by_name[5] == Path("c") and by_name[12] == 1j
    named = offering.run("analysis/Named", arguments={"tries": 5, "priority": "high"}, tries=2)
    assert named.result(30) == (5, "high")
    with pytest.raises(InvalidArguments, match="limit"):
        offering.run("analysis/Everything", limit="high")
    with pytest.raises(BadInput, match="Pass its name as text"):
        offering.run("analysis/Everything", anything=print)


def test_what_contains_itself_is_refused_in_a_field() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadInput, match="contains itself"):
        arguments_of(Everything(anything=endless))
    with pytest.raises(BadInput, match="contains itself"):
        jsonable({"a": endless}, "anything")


class Meeting(Extension):
    category = Category.ANALYSIS
    at: datetime
    others: list[datetime] = Field(default_factory=list)
    names: dict[str, datetime | None] = Field(default_factory=dict)

    def run(self, vis: Any, **kwargs: Any) -> None: ...


@pytest.mark.parametrize("zone", [UTC, ZoneInfo("Europe/Berlin"), timezone(timedelta(hours=2), "CEST")])
def test_a_time_keeps_the_name_of_its_zone(zone: tzinfo) -> None:
    at = datetime(2026, 7, 1, 12, tzinfo=zone)
    given = Meeting(at=at, others=[at], names={"first": at})
    restored = restore(Meeting, arguments_of(given))
    for found in (restored.at, restored.others[0], restored.names["first"]):
        assert found is not None and same(found, at)


class Limited(BaseModel):
    share: Annotated[float, Field(ge=0, le=1)] = 0.5


@dataclass
class Label:
    name: Annotated[str, Field(pattern="^[a-z]+$")] = "a"


class Strict(Extension):
    category = Category.ANALYSIS
    model: Limited = Limited()
    record: Label = Label()
    mixed: dict[str, Any] = Field(default_factory=dict)

    def run(self, vis: Any, **kwargs: Any) -> None: ...


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("model", {"~": ["model", [__name__, "Limited", {"__dict__": {"share": 7.0}}]]}),
        ("record", {"~": ["dataclass", [__name__, "Label", {"name": "../x"}]]}),
    ],
)
def test_a_packed_instance_does_not_pass_by_the_validators_of_its_field(field: str, wrong: Any) -> None:
    with pytest.raises(ValidationError, match=field):
        restore(Strict, {field: wrong})
    given = Strict(model=Limited(share=0.25), record=Label("b"))
    assert restore(Strict, arguments_of(given)) == given
    with pytest.raises(BadInput, match=r"Strict\.mixed .* Declare"):
        arguments_of(Strict(mixed={"a": Label()}))


def test_a_time_without_a_zone_is_local_time(offering: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        at = datetime(2040, 7, 1, 12)
        handle = offering.run("analysis/Refused", run_at=at)
        assert handle.refresh().run_at == datetime(2040, 7, 1, 16, tzinfo=UTC)
        handle.cancel()
    finally:
        monkeypatch.undo()
        time.tzset()


def test_many_extensions_of_one_program_do_not_wait_for_the_registration_limit(server: LiveServer) -> None:
    with Room("many", server.url, "prolific") as room:
        began = time.monotonic()
        for number in range(12):  # one more than a minute's registrations
            room.register_extension(type(f"Numbered{number}", (Refused,), {"__module__": __name__}))
        assert time.monotonic() - began < 30


def test_a_result_that_cannot_travel_is_refused_at_once(offering: Room) -> None:
    handle = offering.run("analysis/Refused", tries=3)
    with pytest.raises(JobFailed, match="Use plain values") as caught:
        handle.result(30)
    assert caught.value.detail["reason"] == "value_refused"
    assert handle.refresh().attempts == []
