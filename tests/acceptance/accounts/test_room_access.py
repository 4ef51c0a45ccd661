"""Who is let into a room: people by their rights, jobs while their attempt lasts."""

from __future__ import annotations

import pytest
from tests.acceptance.rooms_app import configured
from tests.workshop import Worker, Workshop

from workroom.actions.rooms.members import put_member
from workroom.actions.rooms.rooms import update_room
from workroom.domain.errors import AttemptLost, Forbidden, NotFound, NotSignedIn, WorkroomError
from workroom.domain.jobs.outcomes import Cancelled, Started, Succeeded
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import authorize, authorize_from_cache, load_principal
from workroom.server.auth.tokens import JobToken, PersonToken, TokenIssuer
from workroom.server.context import ServerContext
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.presence import PresenceTracker
from workroom.store.queue_tables.job_rows import Claimed


@pytest.fixture
def context(workshop: Workshop) -> ServerContext:
    attendance = PresenceTracker(SocketHub(origins=None), workshop.engine)
    return ServerContext(
        configured(), workshop.engine, TokenIssuer("a secret that is long enough for anybody"), attendance
    )


def token_for(job: Claimed, worker: Worker, **changed: object) -> JobToken:
    facts = {"job_id": job.id, "worker_id": worker.id, "attempt": job.attempt, "room": job.room} | changed
    return JobToken(**facts)  # pyright: ignore[reportArgumentType]


async def refusal(
    context: ServerContext, token: PersonToken | JobToken, room: str, needed: Rights
) -> type[WorkroomError] | None:
    try:
        await authorize(context, token, room, needed)
    except WorkroomError as error:
        return type(error)
    return None


async def test_a_job_writes_in_its_own_room_for_its_submitter_and_is_never_an_admin(
    workshop: Workshop, context: ServerContext
) -> None:
    await workshop.sql("UPDATE account SET role = 'admin'")
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.assigned_job(relax, worker)
    token = token_for(job, worker)
    visit = await authorize(context, token, workshop.room, Rights.WRITE)
    assert (visit.principal.account_id, visit.rights, visit.job) == (workshop.person, Rights.WRITE, token)
    assert not visit.principal.is_admin
    assert await refusal(context, token, workshop.room, Rights.OWN) is Forbidden
    assert await refusal(context, token, "another-room", Rights.READ) is NotFound
    assert await refusal(context, token_for(job, worker, room=None), workshop.room, Rights.READ) is NotFound


async def test_a_job_is_let_in_while_its_attempt_lasts_and_no_longer(
    workshop: Workshop, context: ServerContext
) -> None:
    relax = await workshop.extension()
    worker, other = await workshop.worker(relax), await workshop.worker(relax)
    job = await workshop.assigned_job(relax, worker)
    token = token_for(job, worker)
    await worker.say(job, Started())
    assert await refusal(context, token, workshop.room, Rights.WRITE) is None
    for stale in (token_for(job, worker, attempt=2), token_for(job, other), token_for(job, worker, job_id=worker.id)):
        assert await refusal(context, stale, workshop.room, Rights.READ) is AttemptLost
    await worker.say(job, Succeeded())
    assert await refusal(context, token, workshop.room, Rights.READ) is AttemptLost
    cancelled = await workshop.running_job(relax, worker)
    await worker.say(cancelled, Cancelled())
    assert await refusal(context, token_for(cancelled, worker), workshop.room, Rights.WRITE) is AttemptLost


async def test_a_locked_room_lets_only_owners_and_their_jobs_write(workshop: Workshop, context: ServerContext) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=2)
    bob, carol = await workshop.another_person("bob"), await workshop.another_person("carol")
    await put_member(workshop.engine, workshop.room, actor=workshop.person, who="carol", rights=Rights.OWN)
    of_owner = token_for(await workshop.assigned_job(relax, worker), worker)
    of_bob = token_for(await workshop.assigned_job(relax, worker, submitter=bob), worker)
    await update_room(workshop.engine, workshop.room, actor=workshop.person, locked=True)
    for token, expected in (
        (PersonToken(workshop.person, 0), None),
        (PersonToken(carol, 0), None),
        (of_owner, None),
        (PersonToken(bob, 0), Forbidden),
        (of_bob, Forbidden),
    ):
        assert await refusal(context, token, workshop.room, Rights.WRITE) is expected
        assert await refusal(context, token, workshop.room, Rights.READ) is None
    with pytest.raises(Forbidden, match="unlock"):
        await authorize(context, PersonToken(bob, 0), workshop.room, Rights.WRITE)


async def test_a_revoked_or_disabled_account_is_let_in_nowhere(workshop: Workshop, context: ServerContext) -> None:
    token = PersonToken(workshop.person, 0)
    assert (await load_principal(context, token)).name == "ada"
    await workshop.sql("UPDATE account SET disabled_at = now()")
    with pytest.raises(NotSignedIn):
        await load_principal(context, token)
    for room in (workshop.room, "no-such-room"):
        assert await refusal(context, token, room, Rights.READ) is NotSignedIn


@pytest.mark.parametrize(
    "meanwhile",
    [
        "DELETE FROM room_member",
        "UPDATE room_member SET rights = 'read'",
        "UPDATE room SET locked = true",
        "UPDATE room SET visibility = 'public'",
        "UPDATE room SET owner_id = (SELECT id FROM account WHERE name = 'ben')",
        "UPDATE account SET disabled_at = now() WHERE name = 'ben'",
        "UPDATE account SET token_epoch = token_epoch + 1 WHERE name = 'ben'",
        "UPDATE account SET role = 'admin' WHERE name = 'ben'",
    ],
)
async def test_what_is_remembered_of_somebody_counts_only_while_it_is_true(
    workshop: Workshop, context: ServerContext, meanwhile: str
) -> None:
    """Another server, of which this one hears nothing, may have changed what they are or may."""
    ben = await workshop.another_person("ben")
    await workshop.sql("UPDATE room SET visibility = 'private'")
    await put_member(workshop.engine, workshop.room, actor=workshop.person, who="ben", rights=Rights.WRITE)
    relax = await workshop.extension()
    token = PersonToken(ben, 0)
    assert authorize_from_cache(context, token, workshop.room, Rights.WRITE) is None
    await authorize(context, token, workshop.room, Rights.WRITE)
    visit = authorize_from_cache(context, token, workshop.room, Rights.WRITE)
    assert visit is not None
    assert visit.snapshot is not None
    assert authorize_from_cache(context, token, workshop.room, Rights.OWN) is None
    job = await workshop.pending_job(relax, submitter=ben, access_snapshot=visit.snapshot, idempotency_key="k")
    await workshop.sql(meanwhile)
    for key in (None, "k"):
        with pytest.raises(NotFound):
            await workshop.pending_job(relax, submitter=ben, access_snapshot=visit.snapshot, idempotency_key=key)
    assert await workshop.sql("SELECT id FROM job") == [(job,)]
    context.access_cache.clear()
    assert authorize_from_cache(context, token, workshop.room, Rights.WRITE) is None
