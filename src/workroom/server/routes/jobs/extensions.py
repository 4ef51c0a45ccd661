"""Extensions: what a room can do, and asking for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query, Request, status

from workroom.actions.jobs import requests
from workroom.actions.jobs.options import Wish
from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import NotFound
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import WaitingFor
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Reader, RoomName, RoomVisit, Writer, enter, seen_before
from workroom.server.auth.bearer import ByVisitor, visitors_door
from workroom.server.context import AtHome, House, house_of
from workroom.server.express import ExpressRoute
from workroom.server.http.strict_json import routes
from workroom.server.serializers import jobs as job_serializers
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Submitted
from workroom.wire.jobs import Accepted, AllAccepted, Extensions, Stats, Submission, Submissions

router = routes("/api/rooms/{room}/extensions", tag="extensions")


@router.get("", summary="The extensions a room sees")
async def extensions_of_room(
    house: AtHome, visit: Reader, category: Annotated[str | None, Query(max_length=50)] = None
) -> Extensions:
    rows = await job_queries.extensions_of(house.engine, visit.room, category=category)
    return Extensions(items=[job_serializers.extension(row) for row in rows])


async def submit(
    house: AtHome, token: ByVisitor, room: RoomName, category: str, name: str, body: Submission
) -> Accepted:
    """The arguments are checked against the extension's schema; the job is assigned at once when a worker is idle."""
    seen = seen_before(house, token, room, Rights.WRITE)
    known = house.book.known(room, category, name, body.scope)
    if seen is not None and known is not None and known.category != requests.SETTINGS and not body.depends_on:
        house.submissions.admit(str(seen.visitor.account_id))
        try:
            submitted = await _submit(house, known, body, seen)
        except NotFound:
            # What is remembered may be a second old; the database is not, and has the last word: nothing was written.
            visit = await enter(house, token, room, Rights.WRITE)
        else:
            return await accepted(house, submitted)
    else:
        visit = await enter(house, token, room, Rights.WRITE)
        house.submissions.admit(str(visit.visitor.account_id))
    extension = await house.book.look_up(room, category, name, body.scope)
    return await accepted(house, await _submit(house, extension, body, visit))


class _SubmitRoute(ExpressRoute):
    def read(self, body: Any) -> Submission:
        return Submission.model_validate(body)

    async def answer(self, request: Request, named: Mapping[str, str], body: Submission) -> bytes:
        house, token = await house_of(request), await visitors_door(request)
        answer = await submit(house, token, named["room"], named["category"], named["name"], body)
        return answer.model_dump_json(by_alias=True).encode()


router.add_api_route(
    "/{category}/{name}/submit",
    submit,
    methods=["POST"],
    status_code=status.HTTP_202_ACCEPTED,
    summary="Submit a job",
    route_class_override=_SubmitRoute,
)


async def _submit(house: House, extension: ExtensionRow, body: Submission, visit: RoomVisit) -> Submitted | None:
    """The job; none where values were only stored."""
    wish = Wish(
        submitter=visit.visitor.account_id,
        submitter_name=visit.visitor.name,
        room=visit.room,
        priority=body.priority,
        tries=body.tries,
        run_at=body.run_at,
        needs=await requests.needs_named(house.engine, body.depends_on),
        idempotency_key=body.idempotency_key,
        seen=visit.seen,
    )
    asked = await requests.ask(house.engine, extension, body.data, wish)
    return None if asked is None else await house.intake.submit(asked)


@router.post("/{category}/{name}/submit-many", status_code=status.HTTP_202_ACCEPTED, summary="Submit many jobs")
async def submit_many(house: AtHome, visit: Writer, category: str, name: str, body: Submissions) -> AllAccepted:
    """All are queued, or none."""
    house.submissions.admit(str(visit.visitor.account_id), len(body.data))
    extension = await requests.find_extension(house.engine, visit.room, category, name, body.scope)
    wish = Wish(submitter=visit.visitor.account_id, room=visit.room, priority=body.priority)
    submitted = await requests.ask_many(house.engine, extension, list(body.data), wish)
    return AllAccepted(job_ids=[job.id for job in submitted])


@router.get("/{category}/{name}/values", summary="Your stored values of a settings extension")
async def values(house: AtHome, visit: Reader, category: str, name: str) -> dict[str, Any]:
    await requests.find_extension(house.engine, visit.room, category, name)
    return await requests.setting(house.engine, visit.room, visit.visitor.account_id, name) or {}


@router.get("/{scope}/{category}/{name}/stats", summary="How an extension stands")
async def stats(house: AtHome, visit: Reader, scope: str, category: str, name: str) -> Stats:
    extension = await requests.find_extension(house.engine, visit.room, category, name, _scope(scope, visit))
    return job_serializers.stats(await job_queries.stats(house.engine, extension.id))


async def accepted(house: House, submitted: Submitted | None) -> Accepted:
    """What a submitter is told; one whose job has a worker already needs no prospect."""
    if submitted is None:
        return Accepted(job_id=None, status="stored", waiting_for=WaitingFor.NOTHING)
    if submitted.state == State.ASSIGNED:
        return Accepted(job_id=submitted.id, status=submitted.state)
    prospect = await job_queries.prospect(house.engine, submitted.id)
    return Accepted(
        job_id=submitted.id,
        status=prospect.state,
        queue_position=prospect.queue_position,
        eta_seconds=prospect.eta_seconds,
        waiting_for=prospect.waiting_for,
    )


def _scope(word: str, visit: RoomVisit) -> str:
    """A room's own scope may be called by the room's name."""
    return "room" if word == visit.room else word
