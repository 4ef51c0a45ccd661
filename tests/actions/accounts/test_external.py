"""Accounts of people whom a provider vouches for, in PostgreSQL."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from workroom.actions.accounts import accounts, guests
from workroom.actions.accounts.external import may_renew, sign_in_external
from workroom.actions.engine import Engine
from workroom.domain.errors import Conflict, Forbidden
from workroom.domain.role_of_groups import ExternalIdentity, role_of_groups

ADA = ExternalIdentity("https://id.example.org", "1", "ada", frozenset())


async def test_two_first_sign_ins_at_once_make_one_account(engine: Engine) -> None:
    found = await asyncio.gather(*(sign_in_external(engine, ADA, None) for _ in range(5)))
    assert len({account.id for account in found}) == 1


async def test_names_are_made_fit_and_never_shared(engine: Engine) -> None:
    guest = await guests.create_guest(engine, "ada", "k" * 64)
    ada = await sign_in_external(engine, ADA, None)
    same_subject = ExternalIdentity("https://other.example.org", "1", "ada", frozenset())
    other = await sign_in_external(engine, same_subject, None)
    odd = await sign_in_external(engine, ExternalIdentity("proxy", "2", "Ädä Lovelace <x>", frozenset()), None)
    assert guest is not None and len({guest.id, ada.id, other.id, odd.id}) == 4
    assert [ada.name, other.name] == ["ada-2", "ada-3"] and odd.name == "d--Lovelace--x-"


async def test_the_last_admin_stays_one(engine: Engine) -> None:
    ada = await sign_in_external(engine, ADA, "admin")
    assert (await sign_in_external(engine, ADA, "user")).role == "admin"
    await accounts.create_account(engine, actor=None, name="other", role="admin", password_hash="hash")
    assert (await sign_in_external(engine, ADA, "user")).role == "user"
    assert await accounts.authenticate(engine, ada.id, ada.token_epoch) is None


async def test_a_role_without_groups_is_set_by_admins(engine: Engine) -> None:
    ada = await sign_in_external(engine, ADA, None)
    await accounts.update_account(engine, actor=ada.id, account_id=ada.id, role="admin")  # it needs no password
    assert (await sign_in_external(engine, ADA, None)).role == "admin"
    guest = await guests.create_guest(engine, "gast", None)
    assert guest is not None
    with pytest.raises(Conflict):
        await accounts.update_account(engine, actor=ada.id, account_id=guest.id, role="admin")


async def test_tokens_are_renewed_for_some_days_after_a_sign_in(engine: Engine) -> None:
    ada = await sign_in_external(engine, ADA, None)
    local = await accounts.create_account(engine, actor=None, name="local", role="user", password_hash="hash")
    later = datetime.now(UTC) + timedelta(days=8)
    week = 7 * 86_400.0
    assert await may_renew(engine, ada.id, seconds=week)
    assert not await may_renew(engine, ada.id, seconds=week, now=later)
    assert await may_renew(engine, local.id, seconds=week, now=later)


def test_groups_give_roles() -> None:
    def role(*groups: str, admins: tuple[str, ...] = ("a",), allowed: tuple[str, ...] = ("u",)) -> str | None:
        return role_of_groups(groups, admin_groups=admins, allowed_groups=allowed)

    assert role("a") == role("a", "u") == "admin"
    assert role("u", "x") == role(allowed=()) == "user"
    assert role("u", admins=()) is None and role(admins=(), allowed=()) is None
    for groups in ((), ("x",), ("A",), ("U",)):
        with pytest.raises(Forbidden):
            role(*groups)
