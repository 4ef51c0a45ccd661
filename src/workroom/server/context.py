"""What a running server has at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection

from workroom.actions.engine import Engine
from workroom.server.auth.access_cache import Guests
from workroom.server.auth.rate_limit import Throttle
from workroom.server.auth.tokens import Mint
from workroom.server.dispatch.extension_cache import Book
from workroom.server.dispatch.report_batcher import Inbox
from workroom.server.dispatch.submit_batcher import Intake
from workroom.server.realtime.posting_rate import Paces
from workroom.server.realtime.presence import Attendance
from workroom.server.settings import Settings


@dataclass
class House:
    settings: Settings
    engine: Engine
    mint: Mint
    attendance: Attendance
    logins: Throttle = field(init=False)
    book: Book = field(init=False)
    inbox: Inbox = field(init=False)
    intake: Intake = field(init=False)
    guests: Guests = field(default_factory=Guests)
    paces: Paces = field(default_factory=Paces)
    registrations: Throttle = field(init=False)
    submissions: Throttle = field(init=False)

    def __post_init__(self) -> None:
        self.book = Book(self.engine)
        self.inbox = Inbox(self.engine)
        self.intake = Intake(self.engine)
        self.logins = Throttle(self.settings.logins_per_minute, 60.0)
        self.registrations = Throttle(self.settings.registrations_per_minute, 60.0)
        self.submissions = Throttle(self.settings.submissions_per_minute, 60.0)


async def house_of(connection: HTTPConnection) -> House:
    return cast(House, connection.app.state.house)


AtHome = Annotated[House, Depends(house_of)]
