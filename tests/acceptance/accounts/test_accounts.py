"""Accounts over HTTP: signing in and out, roles, revocation, throttling, audit."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import AsyncGenerator
from typing import Any

import jwt
import pytest
from tests.acceptance.rooms_app import PASSWORD, SECRET, Caller, RoomsApp, rooms_app

from workroom.actions.engine import Engine, new_id
from workroom.actions.events import AccountRevoked
from workroom.server.auth.tokens import JobToken, PersonToken, TokenIssuer, WorkerToken


@pytest.fixture
async def app(engine: Engine) -> AsyncGenerator[RoomsApp]:
    async with rooms_app(engine, logins_per_minute=5) as running:
        yield running


@pytest.fixture
async def admin(app: RoomsApp) -> Caller:
    return await app.account("admin", "admin")


async def test_a_person_signs_in_with_a_password_and_is_recognised(app: RoomsApp) -> None:
    await app.account("ada")
    answer = await app.nobody.ok("POST", "/login", {"user": "ada", "password": PASSWORD})
    assert answer["expiresIn"] == 86_400
    assert set(answer["user"]) == {"id", "name", "role"}
    me = await app.bearer(answer["token"]).ok("GET", "/users/me")
    assert (me["name"], me["role"], me["disabled"]) == ("ada", "user", False)


KEY, OTHER_KEY = "k" * 64, "o" * 64


async def test_a_guest_with_the_same_key_is_the_same_guest_the_next_time(app: RoomsApp) -> None:
    body = {"user": "visitor", "guestKey": KEY}
    first, second = [await app.nobody.ok("POST", "/login", body) for _ in range(2)]
    assert first["user"] == second["user"]
    assert (first["user"]["name"], first["user"]["role"]) == ("visitor", "guest")


async def test_guests_of_one_name_are_accounts_of_their_own_with_readable_names(app: RoomsApp) -> None:
    ada = await app.nobody.ok("POST", "/login", {"user": "Ada", "guestKey": KEY})
    other = await app.nobody.ok("POST", "/login", {"user": "Ada", "guestKey": OTHER_KEY})
    keyless = await app.nobody.ok("POST", "/login", {"user": "ada"})
    assert [one["user"]["name"] for one in (ada, other, keyless)] == ["Ada", "Ada-2", "ada-3"]
    assert len({one["user"]["id"] for one in (ada, other, keyless)}) == 3
    room = {"name": "of-ada", "visibility": "private"}
    await app.bearer(ada["token"]).ok("POST", "/rooms", room)
    assert (await app.bearer(other["token"])("GET", "/rooms/of-ada")).status_code == 404
    # A key belongs to a name: with another name it is another guest.
    assert (await app.nobody.ok("POST", "/login", {"user": "eve", "guestKey": KEY}))["user"]["name"] == "eve"


async def test_guests_of_one_name_at_once_get_different_accounts_and_of_one_key_the_same(app: RoomsApp) -> None:
    guests = await asyncio.gather(*(app.guest("twin") for _ in range(12)))
    assert len({guest.id for guest in guests}) == 12
    body = {"user": "twin", "guestKey": KEY}
    answers = await asyncio.gather(*(app.nobody.ok("POST", "/login", body) for _ in range(5)))
    assert len({answer["user"]["id"] for answer in answers}) == 1


async def test_the_key_of_a_disabled_guest_opens_nothing(app: RoomsApp, admin: Caller) -> None:
    body = {"user": "visitor", "guestKey": KEY}
    guest = (await app.nobody.ok("POST", "/login", body))["user"]
    await admin.ok("PATCH", f"/users/{guest['id']}", {"disabled": True})
    assert (await app.nobody("POST", "/login", body)).status_code == 401
    assert (await app.nobody("POST", "/login", {"user": "visitor", "guestKey": "short"})).status_code == 422


async def test_new_guests_of_an_address_are_limited_but_known_ones_come_in(engine: Engine) -> None:
    async with rooms_app(engine, guests_per_minute=3) as app:
        body = {"user": "visitor", "guestKey": KEY}
        await app.nobody.ok("POST", "/login", body)
        for name in ("one", "two"):
            await app.guest(name)
        refused = await app.nobody("POST", "/login", {"user": "three"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        await app.nobody.ok("POST", "/login", body)


async def test_a_one_time_code_signs_in_once(app: RoomsApp) -> None:
    ada = await app.account("ada")
    first = (await ada.ok("POST", "/login/codes"))["code"]
    made = await ada.ok("POST", "/login/codes")
    assert made["expiresIn"] > 60 and ada.token not in made["code"]
    assert (await app.nobody("POST", "/login/code", {"code": first})).status_code == 401  # replaced
    answer = await app.nobody.ok("POST", "/login/code", {"code": made["code"]})
    assert answer["user"]["name"] == "ada"
    await app.bearer(answer["token"]).ok("GET", "/users/me")
    assert (await app.nobody("POST", "/login/code", {"code": made["code"]})).status_code == 401
    assert (await app.nobody("POST", "/login/codes")).status_code == 401
    revoked = (await ada.ok("POST", "/login/codes"))["code"]
    await ada("POST", "/logout")
    assert (await app.nobody("POST", "/login/code", {"code": revoked})).status_code == 401


async def test_of_many_who_use_one_code_at_once_one_gets_in(app: RoomsApp) -> None:
    ada = await app.account("ada")
    code = (await ada.ok("POST", "/login/codes"))["code"]
    answers = await asyncio.gather(*(app.nobody("POST", "/login/code", {"code": code}) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]


async def test_failed_sign_ins_are_audited_with_their_address_and_without_the_password(
    app: RoomsApp, admin: Caller
) -> None:
    ada = await app.account("ada")
    await app.nobody("POST", "/login", {"user": "ada", "password": "a wrong guess"})
    await app.nobody("POST", "/login", {"user": "nobody-at-all", "password": "a wrong guess"})
    await app.nobody("POST", "/login", {"user": "ada"})
    await app.nobody("POST", "/login/code", {"code": "no such code"})
    await ada("PATCH", f"/users/{ada.id}", {"password": "a new password", "oldPassword": "a wrong guess"})
    log = await admin.ok("GET", "/admin/audit")
    found = [(one["subject"], one["detail"]) for one in log["items"] if one["act"] == "login.failed"]
    assert found == [
        ("ada", {"address": "127.0.0.1", "method": "old password"}),
        ("(one-time code)", {"address": "127.0.0.1", "method": "code"}),
        ("ada", {"address": "127.0.0.1", "method": "guest"}),
        ("nobody-at-all", {"address": "127.0.0.1", "method": "password"}),
        ("ada", {"address": "127.0.0.1", "method": "password"}),
    ]
    assert "a wrong guess" not in json.dumps(log)


async def test_names_that_differ_in_case_are_the_same_name(app: RoomsApp) -> None:
    ada = await app.account("ada")
    assert (await app.signed_in("ADA", PASSWORD)).id == ada.id
    assert (await app.nobody("POST", "/login", {"user": "Ada"})).status_code == 401


async def test_a_name_with_a_password_needs_it(app: RoomsApp) -> None:
    await app.account("ada")
    refused = await app.nobody("POST", "/login", {"user": "ada"})
    assert (refused.status_code, refused.json()["code"]) == (401, "not_signed_in")


async def test_a_server_without_guests_lets_nobody_in_by_name_alone(engine: Engine) -> None:
    async with rooms_app(engine, guests=False) as app:
        await app.account("ada")
        answers = [await app.nobody("POST", "/login", {"user": name}) for name in ("ada", "unknown")]
        assert [answer.status_code for answer in answers] == [401, 401]
        assert answers[0].json() == answers[1].json()


async def test_a_wrong_user_and_a_wrong_password_get_the_same_answer_after_a_like_time(app: RoomsApp) -> None:
    await app.account("ada")
    await app.guest("visitor")
    answers: dict[str, Any] = {}
    took: dict[str, float] = {}
    for _ in range(2):  # the first round warms up
        for name in ("ada", "unknown", "visitor"):
            began = time.perf_counter()
            response = await app.nobody("POST", "/login", {"user": name, "password": "wrong password"})
            took[name] = time.perf_counter() - began
            assert response.headers["www-authenticate"] == "Bearer"
            answers[name] = (response.status_code, response.json())
    assert answers["ada"] == answers["unknown"] == answers["visitor"]
    assert answers["ada"][0] == 401
    assert min(took.values()) > max(took.values()) / 5, took


async def test_sign_ins_are_throttled_by_name_and_only_failures_count(app: RoomsApp) -> None:
    await app.account("ada")
    await app.account("bob")
    for _ in range(7):
        await app.signed_in("ada", PASSWORD)
    for _ in range(5):
        assert (await app.nobody("POST", "/login", {"user": "ada", "password": "wrong"})).status_code == 401
    refused = await app.nobody("POST", "/login", {"user": "Ada", "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert 0 < refused.json()["retryAfter"] <= 60
    assert refused.headers["retry-after"] == str(refused.json()["retryAfter"])
    await app.signed_in("bob", PASSWORD)


BAD_SIGN_INS: list[tuple[Any, int]] = [
    ({}, 422),
    ({"user": ""}, 422),
    ({"user": "a b"}, 400),
    ({"user": "a\x00b"}, 400),
    ({"user": "x" * 65}, 422),
    ({"user": 5}, 422),
    ({"user": "ada", "pasword": "typing error"}, 422),
    ({"user": "ada", "password": "x" * 1025}, 422),
    ([], 422),
]


async def test_a_malformed_sign_in_is_refused(app: RoomsApp) -> None:
    for body, status in BAD_SIGN_INS:
        response = await app.nobody("POST", "/login", body)
        assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json"), body
    broken = await app.client.post("/api/login", content=b'{"user": "ada', headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["code"]) == (400, "bad_input")


def signed(claims: dict[str, Any], algorithm: str = "HS256") -> str:
    return jwt.encode(claims, SECRET, algorithm=algorithm)  # pyright: ignore[reportUnknownMemberType]


async def test_bad_tokens_are_all_refused_alike(app: RoomsApp) -> None:
    ada = await app.account("ada")
    assert ada.token
    header, claims, signature = ada.token.split(".")
    unsigned = base64.urlsafe_b64encode(json.dumps({"alg": "none", "typ": "JWT"}).encode()).rstrip(b"=").decode()
    good: dict[str, Any] = json.loads(base64.urlsafe_b64decode(claims + "=="))
    mint = TokenIssuer(SECRET)
    bad = {
        "garbage": "garbage",
        "foreign": TokenIssuer("another secret that is just as long as ours").issue(PersonToken(ada.id, 0), 60),
        "expired": signed(good | {"exp": int(time.time()) - 1}),
        "without end": signed({claim: value for claim, value in good.items() if claim != "exp"}),
        "other algorithm": signed(good, algorithm="HS512"),
        "unsigned": f"{unsigned}.{claims}.",
        "forged": f"{header}.{claims[:-2]}xx.{signature}",
        "of a worker": mint.issue(WorkerToken(new_id(), 1), 60),
        "of a job": mint.issue(JobToken(new_id(), new_id(), 1, "lab"), 60),
        "of an unknown account": mint.issue(PersonToken(new_id(), 0), 60),
        "of a later epoch": mint.issue(PersonToken(ada.id, 1), 60),
    }
    for what, token in bad.items():
        response = await app.bearer(token)("GET", "/users/me")
        assert (response.status_code, response.json()["code"]) == (401, "not_signed_in"), what
    assert (await app.nobody("GET", "/users/me")).status_code == 401
    assert (await app.client.get("/api/users/me", headers={"Authorization": "Basic YTpi"})).status_code == 401


async def test_a_good_token_is_renewed_and_a_revoked_one_is_not(app: RoomsApp) -> None:
    ada = await app.account("ada")
    renewed = await ada.ok("POST", "/login/renew")
    assert renewed["user"]["name"] == "ada"
    assert renewed["token"] != ada.token
    again = app.bearer(renewed["token"])
    await again.ok("GET", "/users/me")
    assert (await ada("POST", "/logout")).status_code == 204
    assert app.events[-1] == AccountRevoked(ada.id)
    for caller in (ada, again):
        assert (await caller("POST", "/login/renew")).status_code == 401
    await (await app.signed_in("ada", PASSWORD)).ok("GET", "/users/me")


async def test_a_person_changes_their_password_with_the_old_one_and_is_signed_out(app: RoomsApp) -> None:
    ada = await app.account("ada")
    path, new = f"/users/{ada.id}", "a new password"
    for body, status in (
        ({"password": new}, 400),
        ({"password": new, "oldPassword": "wrong"}, 403),
        ({"password": "short", "oldPassword": PASSWORD}, 422),
        ({"password": new, "oldPassword": PASSWORD, "role": "admin"}, 400),
        ({"oldPassword": PASSWORD}, 400),
    ):
        assert (await ada("PATCH", path, body)).status_code == status, body
    await ada.ok("PATCH", path, {"password": new, "oldPassword": PASSWORD})
    assert (await ada("GET", "/users/me")).status_code == 401
    assert (await app.nobody("POST", "/login", {"user": "ada", "password": PASSWORD})).status_code == 401
    await app.signed_in("ada", new)


async def test_guessing_the_old_password_is_throttled_too(app: RoomsApp) -> None:
    ada = await app.account("ada")
    body = {"password": "a new password", "oldPassword": "wrong"}
    statuses = [(await ada("PATCH", f"/users/{ada.id}", body)).status_code for _ in range(6)]
    assert statuses == [403] * 5 + [429]


async def test_an_admin_makes_finds_promotes_disables_and_resets_accounts(app: RoomsApp, admin: Caller) -> None:
    made = await admin.ok("POST", "/users", {"name": "ada"})
    assert len(made["password"]) >= 20
    given = await admin.ok("POST", "/users", {"name": "bob", "password": PASSWORD, "role": "user"})
    assert given["password"] is None
    found = await admin.ok("GET", "/users", q="AD", limit=1, offset=1)
    assert found["total"] == 2
    assert [user["name"] for user in found["items"]] == ["admin"]
    assert await admin.ok("GET", "/users", offset=99) == {"items": [], "total": 3, "limit": 50, "offset": 99}

    ada = await app.signed_in("ada", made["password"])
    assert (await ada("GET", "/users")).status_code == 403
    assert (await admin.ok("PATCH", f"/users/{ada.id}", {"role": "admin"}))["role"] == "admin"
    await ada.ok("GET", "/users")  # the role is read from the database: the old token serves
    await admin.ok("PATCH", f"/users/{ada.id}", {"role": "user"})
    assert (await ada("GET", "/users/me")).status_code == 401
    assert AccountRevoked(ada.id) in app.events

    password = (await admin.ok("POST", f"/users/{ada.id}/reset"))["password"]
    assert (await app.nobody("POST", "/login", {"user": "ada", "password": made["password"]})).status_code == 401
    ada = await app.signed_in("ada", password)
    assert (await admin.ok("PATCH", f"/users/{ada.id}", {"disabled": True}))["disabled"] is True
    assert (await ada("GET", "/users/me")).status_code == 401
    assert (await app.nobody("POST", "/login", {"user": "ada", "password": password})).status_code == 401
    await admin.ok("PATCH", f"/users/{ada.id}", {"disabled": False})
    await app.signed_in("ada", password)
    assert (await admin("DELETE", f"/users/{ada.id}")).status_code == 204
    assert (await admin("GET", f"/users/{ada.id}")).status_code == 404

    log = (await admin.ok("GET", "/admin/audit", limit=20))["items"]
    acts = [entry["act"] for entry in log if entry["act"] != "login.failed"]
    assert acts[:7] == [
        f"account.{act}" for act in ("delete", "enable", "disable", "reset", "demote", "promote", "create")
    ]
    entry = (await admin.ok("GET", "/admin/audit", limit=1))["items"][0]
    assert (entry["actorName"], entry["subject"], entry["detail"]["id"]) == ("admin", "ada", str(ada.id))
    assert password not in json.dumps(await admin.ok("GET", "/admin/audit"))


async def test_whoever_is_no_admin_is_refused_every_admin_act(app: RoomsApp, admin: Caller) -> None:
    ada, guest = await app.account("ada"), await app.guest("visitor")
    for caller in (ada, guest):
        for method, path, body in (
            ("GET", "/users", None),
            ("POST", "/users", {"name": "eve"}),
            ("GET", f"/users/{admin.id}", None),
            ("PATCH", f"/users/{caller.id}", {"role": "admin"}),
            ("PATCH", f"/users/{admin.id}", {"disabled": True}),
            ("POST", f"/users/{admin.id}/reset", None),
            ("DELETE", f"/users/{admin.id}", None),
            ("GET", "/admin/audit", None),
        ):
            response = await caller(method, path, body)
            assert (response.status_code, response.json()["code"]) == (403, "admin_needed"), (method, path)
        other = await caller("PATCH", f"/users/{admin.id}", {"password": "my own now", "oldPassword": "x"})
        assert other.status_code == 403


async def test_there_is_always_an_admin(app: RoomsApp, admin: Caller) -> None:
    for method, body in (("PATCH", {"role": "user"}), ("PATCH", {"disabled": True}), ("DELETE", None)):
        response = await admin(method, f"/users/{admin.id}", body)
        assert (response.status_code, response.json()["code"]) == (409, "conflict")
    other = await app.account("other", "admin")
    answers = await asyncio.gather(
        admin("PATCH", f"/users/{other.id}", {"role": "user"}), other("PATCH", f"/users/{admin.id}", {"role": "user"})
    )
    assert sorted(answer.status_code for answer in answers) in ([200, 401], [200, 403], [200, 409])


async def test_a_guest_without_a_password_cannot_become_an_admin(app: RoomsApp, admin: Caller) -> None:
    guest = await app.guest("visitor")
    assert (await admin("PATCH", f"/users/{guest.id}", {"role": "admin"})).status_code == 409
    await admin.ok("PATCH", f"/users/{guest.id}", {"role": "user"})
    assert (await guest("GET", "/users/me")).status_code == 401
    assert (await app.nobody("POST", "/login", {"user": "visitor"})).status_code == 401


async def test_of_two_making_the_same_account_one_wins(app: RoomsApp, admin: Caller) -> None:
    answers = await asyncio.gather(*(admin("POST", "/users", {"name": name}) for name in ("twin", "Twin", "TWIN")))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]


async def test_unknown_accounts_and_bad_ids_are_told(app: RoomsApp, admin: Caller) -> None:
    for method, path, body in (
        ("GET", f"/users/{new_id()}", None),
        ("PATCH", f"/users/{new_id()}", {"role": "user"}),
        ("POST", f"/users/{new_id()}/reset", None),
        ("DELETE", f"/users/{new_id()}", None),
    ):
        assert (await admin(method, path, body)).status_code == 404
    assert (await admin("GET", "/users/nobody")).status_code == 422
    assert (await admin("GET", "/users", limit=0)).status_code == 422
    assert (await admin("GET", "/users", q="a\x00")).status_code == 422
    assert (await admin("POST", "/users", {"name": "a/b"})).status_code == 400
