"""Accounts in PostgreSQL: names, epochs, the last admin."""

from __future__ import annotations

import asyncio

import psycopg
import pytest
from tests.workshop import Workshop

from workroom.actions.accounts import accounts, guests
from workroom.actions.accounts.audit import list_audit
from workroom.actions.accounts.retention import delete_idle_guests
from workroom.actions.engine import Engine, new_id
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.submit import submit
from workroom.domain.errors import BadInput, Conflict, NameTaken, NotFound
from workroom.store.accounts import AccountRow

KEY = "k" * 64


async def make(engine: Engine, name: str, role: str = "user", password_hash: str | None = "hash") -> AccountRow:
    return await accounts.create_account(engine, actor=None, name=name, role=role, password_hash=password_hash)


async def test_a_name_is_taken_in_any_case(engine: Engine) -> None:
    await make(engine, "Ada")
    with pytest.raises(NameTaken, match=r"There is an account 'ada' already\."):
        await make(engine, "aDa")
    with pytest.raises(BadInput):
        await make(engine, "a b")


async def test_an_account_that_was_not_made_leaves_no_audit_row(engine: Engine) -> None:
    await make(engine, "ada")
    with pytest.raises(NameTaken):
        await make(engine, "ada")
    assert (await list_audit(engine, limit=10, offset=0)).total == 1


async def test_a_token_is_good_for_its_epoch_alone(engine: Engine) -> None:
    ada = await make(engine, "ada")
    assert await accounts.authenticate(engine, ada.id, 0) == (ada.id, "ada", "user")
    await accounts.sign_out(engine, ada.id)
    assert await accounts.authenticate(engine, ada.id, 0) is None
    assert await accounts.authenticate(engine, ada.id, 1) is not None
    await accounts.reset_password(engine, actor=ada.id, account_id=ada.id, new_hash="new")
    await accounts.change_password(engine, account_id=ada.id, old_hash="new", new_hash="newer")
    assert await accounts.authenticate(engine, ada.id, 3) is not None
    await accounts.rehash(engine, ada.id, old_hash="newer", new_hash="the same, stronger")
    assert await accounts.authenticate(engine, ada.id, 3) is not None


async def test_a_password_changed_meanwhile_is_not_overwritten(engine: Engine) -> None:
    ada = await make(engine, "ada")

    async def change(new: str) -> str | None:
        try:
            await accounts.change_password(engine, account_id=ada.id, old_hash="hash", new_hash=new)
        except Conflict:
            return None
        return new

    (winner,) = [new for new in await asyncio.gather(*(change(f"new {n}") for n in range(8))) if new]
    known = await accounts.credentials(engine, "ada")
    assert known is not None and (known.password_hash, known.token_epoch) == (winner, 1)


async def test_a_guest_is_welcome_only_under_a_guests_name(engine: Engine) -> None:
    await make(engine, "user")
    guest = await guests.create_guest(engine, "visitor", KEY)
    assert guest is not None and guest.role == "guest"
    assert await guests.sign_in_guest(engine, "VISITOR", KEY) == guest
    assert await guests.create_guest(engine, "user", KEY) is None
    await accounts.reset_password(engine, actor=guest.id, account_id=guest.id, new_hash="hash")
    assert await guests.sign_in_guest(engine, "visitor", KEY) is None
    assert await guests.create_guest(engine, "visitor", KEY) is None


async def test_a_disabled_account_has_no_credentials_and_no_token(engine: Engine) -> None:
    admin, guest = await make(engine, "admin", "admin"), await guests.create_guest(engine, "visitor", KEY)
    assert guest is not None
    changed = await accounts.update_account(engine, actor=admin.id, account_id=guest.id, disabled=True)
    assert changed.disabled
    assert await guests.sign_in_guest(engine, "visitor", KEY) is None
    assert await guests.create_guest(engine, "visitor", None) is None
    assert await accounts.credentials(engine, "visitor") is None
    assert [await accounts.authenticate(engine, guest.id, epoch) for epoch in (0, 1)] == [None, None]
    enabled = await accounts.update_account(engine, actor=admin.id, account_id=guest.id, disabled=False)
    assert not enabled.disabled
    assert await accounts.authenticate(engine, guest.id, 1) is not None


async def test_two_admins_never_demote_each_other_at_once(engine: Engine) -> None:
    for turn in range(10):
        pair = [await make(engine, f"admin-{turn}-{n}", "admin") for n in range(2)]

        async def demote(actor: AccountRow, other: AccountRow) -> bool:
            try:
                await accounts.update_account(engine, actor=actor.id, account_id=other.id, role="user")
            except Conflict:
                return False
            return True

        outcome = await asyncio.gather(demote(pair[0], pair[1]), demote(pair[1], pair[0]))
        assert sorted(outcome) == [False, True]
        assert await accounts.has_admin(engine)
        left = pair[outcome.index(True)]
        other = await make(engine, f"admin-{turn}-next", "admin")
        await accounts.update_account(engine, actor=other.id, account_id=left.id, disabled=True)
        with pytest.raises(Conflict):
            await accounts.update_account(engine, actor=other.id, account_id=other.id, disabled=True)
        # Leave none for the next turn.
        async with engine.database.connection() as connection:
            await connection.execute("UPDATE account SET role = 'user'")


async def test_a_change_that_changes_nothing_is_not_remembered(engine: Engine) -> None:
    admin = await make(engine, "admin", "admin")
    before = (await list_audit(engine, limit=1, offset=0)).total
    await accounts.update_account(engine, actor=admin.id, account_id=admin.id, role="admin", disabled=False)
    assert (await list_audit(engine, limit=1, offset=0)).total == before
    with pytest.raises(NotFound):
        await accounts.update_account(engine, actor=admin.id, account_id=new_id(), role="admin")


async def test_accounts_are_found_in_pages(engine: Engine) -> None:
    for name in ("Bob", "alice", "carol", "dave"):
        await make(engine, name)
    page = await accounts.list_accounts(engine, search="", limit=2, offset=1)
    assert ([row.name for row in page.rows], page.total) == (["Bob", "carol"], 4)
    assert await accounts.list_accounts(engine, search="%", limit=2, offset=0) == ([], 0)
    assert await accounts.list_accounts(engine, search="A", limit=2, offset=7) == ([], 3)


async def test_the_database_itself_knows_only_the_three_roles(engine: Engine) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        await make(engine, "eve", "root")


async def test_a_deleted_account_is_gone_and_its_name_is_free(workshop: Workshop) -> None:
    engine = workshop.engine
    admin = await make(engine, "root", "admin")
    eve, bob = await make(engine, "eve"), await make(engine, "bob")
    await workshop.sql("INSERT INTO room (name, owner_id) VALUES ('of-eve', %s), ('of-bob', %s)", eve.id, bob.id)
    job = await submit(engine, await workshop.extension(), {"n": 1}, JobOptions(bob.id))
    for one in (eve, bob):
        await accounts.delete_account(engine, actor=admin.id, account_id=one.id)
        assert await accounts.credentials(engine, one.name) is None
        assert await accounts.authenticate(engine, one.id, 0) is None
        await make(engine, one.name)
    with pytest.raises(NotFound):
        await accounts.get_account(engine, eve.id)
    assert (await accounts.get_account(engine, bob.id)).name == f"deleted-{str(bob.id)[-12:]}"
    assert await workshop.sql("SELECT count(*) FROM room WHERE name LIKE 'of-%%' AND owner_id IS NULL") == [(2,)]
    await workshop.sql("UPDATE account SET seen_at = now() - interval '1 year'")
    assert await delete_idle_guests(engine) == 0, "its job refers to it"
    await workshop.sql("DELETE FROM job WHERE id = %s", job.id)
    assert await delete_idle_guests(engine) == 1
    with pytest.raises(Conflict, match="last admin"):
        await accounts.delete_account(engine, actor=admin.id, account_id=admin.id)
