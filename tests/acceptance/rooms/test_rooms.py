"""Rooms over HTTP: who may do what, members, links, and what a deleted room takes with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from itertools import count, product
from typing import Any

import pytest
from tests.acceptance.rooms_app import Caller, RoomsApp, rooms_app

from workroom.actions.engine import Engine, new_id
from workroom.actions.events import MembersChanged, RoomChanged, RoomDeleted
from workroom.server.auth.tokens import WorkerToken

ROOMS = {"closed": "private", "open": "public"}


@pytest.fixture
async def app(engine: Engine) -> AsyncGenerator[RoomsApp]:
    async with rooms_app(engine) as running:
        yield running


@pytest.fixture
async def people(app: RoomsApp) -> dict[str, Caller]:
    """One of each kind, with a private room `closed` and a public one `open` that the creator has made."""
    people = {name: await app.account(name) for name in ("creator", "owner", "writer", "reader", "stranger")}
    people["guest"] = await app.guest("guest")
    people["admin"] = await app.account("admin", "admin")
    for room, visibility in ROOMS.items():
        await furnish(people["creator"], room, visibility)
    return people


async def furnish(creator: Caller, room: str, visibility: str) -> None:
    await creator.ok("POST", "/rooms", {"name": room, "visibility": visibility})
    for name, rights in (("owner", "own"), ("writer", "write"), ("reader", "read")):
        await creator.ok("PUT", f"/rooms/{room}/members/{name}", {"rights": rights})


KINDS = ("creator", "owner", "admin", "writer", "reader", "stranger", "guest")
# What each kind of person gets: 2 stands for the route's own good status.
READ = {"private": (2, 2, 2, 2, 2, 404, 404), "public": (2, 2, 2, 2, 2, 2, 2)}
OWN = {"private": (2, 2, 2, 403, 403, 404, 404), "public": (2, 2, 2, 403, 403, 403, 403)}
ROUTES: list[tuple[str, str, Any, int, dict[str, tuple[int, ...]]]] = [
    ("GET", "", None, 200, READ),
    ("PATCH", "", {"description": "new"}, 200, OWN),
    ("GET", "/members", None, 200, READ),
    ("PUT", "/members/somebody", {"rights": "read"}, 200, OWN),
    ("DELETE", "/members/somebody", None, 204, OWN),
    ("GET", "/links", None, 200, OWN),
    ("POST", "/links", {"rights": "read"}, 201, OWN),
    ("DELETE", "/links/{link}", None, 204, OWN),
    ("DELETE", "/links", None, 204, OWN),
    ("POST", "/duplicate", {"name": "copy-{n}"}, 201, READ),
    ("DELETE", "", None, 204, OWN),
]


async def test_each_route_answers_each_kind_of_person_as_it_must(app: RoomsApp, people: dict[str, Caller]) -> None:
    creator = people["creator"]
    await app.guest("somebody")
    copies = count(1)
    answers: dict[tuple[str, str, str], tuple[int, ...]] = {}
    for (name, visibility), (method, path, body, good, _) in product(ROOMS.items(), ROUTES):
        statuses: list[int] = []
        for kind in KINDS:
            room = name
            if (method, path) == ("DELETE", ""):  # each deletes a room of their own
                room = f"{name}-{kind}"
                await furnish(creator, room, visibility)
            if (method, path) == ("DELETE", "/members/somebody"):
                await creator.ok("PUT", f"/rooms/{room}{path}", {"rights": "read"})
            link = (await creator.ok("POST", f"/rooms/{room}/links", {}))["id"] if "{link}" in path else ""
            sent = {"name": f"copy-{next(copies)}"} if path == "/duplicate" else body
            response = await people[kind](method, f"/rooms/{room}{path.format(link=link)}", sent)
            statuses.append(2 if response.status_code == good else response.status_code)
            if response.status_code == 404:  # word for word as if there were none
                missing = await people[kind](method, f"/rooms/no-such-room{path.format(link=link)}", sent)
                assert missing.json() == response.json()
        answers[visibility, method, path] = tuple(statuses)
    assert answers == {
        (visibility, method, path): expected[visibility]
        for visibility in ROOMS.values()
        for method, path, _, _, expected in ROUTES
    }


async def test_nobody_and_workers_are_refused_on_every_route(app: RoomsApp, people: dict[str, Caller]) -> None:
    worker = app.bearer(app.context.tokens.issue(WorkerToken(new_id(), 1), 60))
    for caller in (app.nobody, worker):
        for method, path in (
            ("GET", "/rooms"),
            ("POST", "/rooms"),
            ("GET", "/rooms/open"),
            ("PATCH", "/rooms/open"),
            ("DELETE", "/rooms/open"),
            ("POST", "/rooms/open/duplicate"),
            ("GET", "/rooms/open/members"),
            ("PUT", "/rooms/open/members/reader"),
            ("DELETE", "/rooms/open/members/reader"),
            ("GET", "/rooms/open/links"),
            ("POST", "/rooms/open/links"),
            ("DELETE", f"/rooms/open/links/{new_id()}"),
            ("POST", "/join"),
        ):
            response = await caller(method, path, {})
            assert (response.status_code, response.json()["code"]) == (401, "not_signed_in"), (method, path)


async def test_a_room_is_made_seen_changed_and_deleted(app: RoomsApp) -> None:
    ada = await app.account("ada")
    response = await ada("POST", "/rooms", {"name": "lab", "description": "ours", "visibility": "private"})
    assert response.status_code == 201
    room = response.json()
    assert {
        key: room[key] for key in ("name", "description", "visibility", "locked", "owner", "ownerId", "rights")
    } == {
        "name": "lab",
        "description": "ours",
        "visibility": "private",
        "locked": False,
        "owner": "ada",
        "ownerId": str(ada.id),
        "rights": "own",
    }
    assert room["createdAt"]
    assert await ada.ok("GET", "/rooms/lab") == room
    changed = await ada.ok("PATCH", "/rooms/lab", {"visibility": "public", "locked": True})
    assert (changed["visibility"], changed["locked"], changed["description"]) == ("public", True, "ours")
    assert [event for event in app.events if isinstance(event, RoomChanged)] == [RoomChanged("lab")] * 2
    assert MembersChanged("lab", ()) in app.events
    assert (await ada("DELETE", "/rooms/lab")).status_code == 204
    assert app.events[-1] == RoomDeleted("lab")
    assert (await ada("GET", "/rooms/lab")).status_code == 404


async def test_a_list_shows_what_one_may_see_with_ones_rights_searched_and_in_pages(
    app: RoomsApp, people: dict[str, Caller]
) -> None:
    await people["creator"].ok("POST", "/rooms", {"name": "water-box", "description": "Ice and 100% water_"})
    seen = {
        kind: {room["name"]: room["rights"] for room in (await caller.ok("GET", "/rooms"))["items"]}
        for kind, caller in people.items()
    }
    assert seen["stranger"] == seen["guest"] == {"open": "write", "water-box": "write"}
    assert seen["reader"] == {"closed": "read", "open": "write", "water-box": "write"}
    assert seen["writer"] == {"closed": "write", "open": "write", "water-box": "write"}
    assert seen["owner"] == {"closed": "own", "open": "own", "water-box": "write"}
    assert seen["creator"] == seen["admin"] == {"closed": "own", "open": "own", "water-box": "own"}
    guest = people["guest"]
    for words, names in (
        ("ICE", ["water-box"]),
        ("clos", []),
        ("100%", ["water-box"]),
        ("r_", ["water-box"]),
        ("_b", []),
    ):
        assert [room["name"] for room in (await guest.ok("GET", "/rooms", q=words))["items"]] == names, words
    page = await people["admin"].ok("GET", "/rooms", limit=2, offset=1)
    assert ([room["name"] for room in page["items"]], page["total"]) == (["open", "water-box"], 3)
    assert await guest.ok("GET", "/rooms", offset=9, limit=5) == {"items": [], "total": 2, "limit": 5, "offset": 9}


async def test_a_list_tells_what_is_in_rooms_and_sorts_and_archives_them(app: RoomsApp) -> None:
    ada, bob = await app.account("ada"), await app.account("bob")
    for name in ("b", "a", "c"):
        await ada.ok("POST", "/rooms", {"name": name})
    assert [
        (one["name"], one["frames"], one["atoms"], one["bytes"]) for one in (await ada.ok("GET", "/rooms"))["items"]
    ] == [
        ("a", 0, None, 0),
        ("b", 0, None, 0),
        ("c", 0, None, 0),
    ]
    await ada.ok("PATCH", "/rooms/b", {"description": "changed last"})
    changed = (await bob.ok("GET", "/rooms", sort="changed"))["items"]
    assert changed[0]["name"] == "b" and changed[0]["changedAt"] >= changed[1]["changedAt"] >= changed[2]["changedAt"]
    await ada.ok("PATCH", "/rooms/a", {"archived": True})
    assert (await ada.ok("GET", "/rooms/a"))["archived"] is True
    assert [one["name"] for one in (await bob.ok("GET", "/rooms", archived=False))["items"]] == ["b", "c"]
    assert [one["name"] for one in (await bob.ok("GET", "/rooms", archived=True))["items"]] == ["a"]
    assert (await bob.ok("GET", "/rooms"))["total"] == 3
    await ada.ok("PATCH", "/rooms/a", {"archived": False})
    assert (await ada.ok("GET", "/rooms", archived=True))["items"] == []


async def test_a_locked_room_is_read_by_all_and_unlocked_by_its_owners_alone(
    app: RoomsApp, people: dict[str, Caller]
) -> None:
    """`test_locked_room` attempts every write."""
    await people["owner"].ok("PATCH", "/rooms/open", {"locked": True})
    for kind in KINDS:
        await people[kind].ok("GET", "/rooms/open")
    for kind in ("writer", "reader", "stranger", "guest"):
        assert (await people[kind]("PATCH", "/rooms/open", {"locked": False})).status_code == 403
    assert (await people["owner"].ok("GET", "/rooms/open"))["locked"] is True
    await people["owner"].ok("PATCH", "/rooms/open", {"locked": False})


BAD_ROOMS: list[tuple[dict[str, Any], int, str]] = [
    ({}, 422, "invalid_request"),
    ({"name": ""}, 422, "invalid_request"),
    ({"name": "a/b"}, 400, "bad_input"),
    ({"name": "a\x00b"}, 400, "bad_input"),
    ({"name": "x" * 101}, 422, "invalid_request"),
    ({"name": "@home"}, 409, "name_reserved"),
    ({"name": "Public"}, 409, "name_reserved"),
    ({"name": "global"}, 409, "name_reserved"),
    ({"name": "builtin"}, 409, "name_reserved"),
    ({"name": "fine", "visibility": "secret"}, 422, "invalid_request"),
    ({"name": "fine", "description": "a\x00b"}, 422, "invalid_request"),
    ({"name": "fine", "description": "x" * 10_001}, 422, "invalid_request"),
    ({"name": "fine", "owner": "me"}, 422, "invalid_request"),
    ({"name": "taken"}, 409, "name_taken"),
]


async def test_a_room_that_cannot_be_made_is_refused(app: RoomsApp) -> None:
    guest = await app.guest("guest")
    await guest.ok("POST", "/rooms", {"name": "taken"})
    for body, status, code in BAD_ROOMS:
        for path in ("/rooms", "/rooms/taken/duplicate"):
            if path == "/rooms" or set(body) == {"name"}:
                response = await guest("POST", path, body)
                assert (response.status_code, response.json()["code"]) == (status, code), (path, body)
                if code == "name_taken":
                    said = "There is a room 'taken' already. Choose another name, or open that room."
                    assert response.json()["detail"] == said


async def test_a_room_that_cannot_be_is_not_found(app: RoomsApp) -> None:
    guest = await app.guest("guest")
    for name in ("no-such", "public", "@x", "a%00b", "%F0%9F%98%80", "x" * 200, "a%2Fb"):
        for method in ("GET", "PATCH", "DELETE"):
            assert (await guest(method, f"/rooms/{name}", {"locked": True})).status_code == 404, name


async def test_of_many_making_the_same_room_one_wins(app: RoomsApp, people: dict[str, Caller]) -> None:
    answers = await asyncio.gather(*(caller("POST", "/rooms", {"name": "race"}) for caller in people.values()))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 6
    winner = next(answer for answer in answers if answer.status_code == 201).json()["owner"]
    assert (await people["admin"].ok("GET", "/rooms/race"))["owner"] == winner


async def test_a_duplicate_is_ones_own_and_as_private_as_the_original(app: RoomsApp, people: dict[str, Caller]) -> None:
    await people["creator"].ok("PATCH", "/rooms/closed", {"description": "deep", "locked": True})
    copy = await people["reader"].ok("POST", "/rooms/closed/duplicate", {"name": "mine"})
    assert (copy["owner"], copy["visibility"], copy["description"]) == ("reader", "private", "deep")
    assert (copy["locked"], copy["rights"]) == (False, "own")
    assert (await people["creator"]("GET", "/rooms/mine")).status_code == 404


async def test_members_come_get_other_rights_and_go(app: RoomsApp, people: dict[str, Caller]) -> None:
    creator, stranger = people["creator"], people["stranger"]
    member = await creator.ok("PUT", f"/rooms/closed/members/{stranger.id}", {"rights": "read"})
    assert (member["name"], member["rights"], member["creator"]) == ("stranger", "read", False)
    assert app.events[-1] == MembersChanged("closed", (stranger.id,))
    assert (await stranger("PATCH", "/rooms/closed", {"locked": True})).status_code == 403
    await creator.ok("PUT", "/rooms/closed/members/STRANGER", {"rights": "own"})
    await stranger.ok("PATCH", "/rooms/closed", {"locked": True})
    listed = (await stranger.ok("GET", "/rooms/closed/members"))["items"]
    assert [(member["name"], member["rights"]) for member in listed] == [
        ("creator", "own"),
        ("owner", "own"),
        ("reader", "read"),
        ("stranger", "own"),
        ("writer", "write"),
    ]
    assert (await creator("DELETE", "/rooms/closed/members/stranger")).status_code == 204
    assert (await stranger("GET", "/rooms/closed")).status_code == 404
    assert (await people["reader"]("DELETE", "/rooms/closed/members/writer")).status_code == 403
    assert (await people["reader"]("DELETE", "/rooms/closed/members/reader")).status_code == 204
    assert (await people["reader"]("GET", "/rooms/closed")).status_code == 404


async def test_the_creator_of_a_room_owns_it_for_good(app: RoomsApp, people: dict[str, Caller]) -> None:
    refused = await people["owner"]("PUT", "/rooms/closed/members/creator", {"rights": "read"})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert (await people["owner"]("DELETE", "/rooms/closed/members/creator")).status_code == 404
    await people["creator"].ok("PATCH", "/rooms/closed", {"description": "still mine"})


async def test_unknown_members_and_rights_are_refused(app: RoomsApp, people: dict[str, Caller]) -> None:
    creator = people["creator"]
    for who in ("nobody", str(new_id()), "a%00b", "a%20b"):
        assert (await creator("PUT", f"/rooms/closed/members/{who}", {"rights": "read"})).status_code == 404, who
        assert (await creator("DELETE", f"/rooms/closed/members/{who}")).status_code == 404, who
    assert (await creator("DELETE", "/rooms/closed/members/stranger")).status_code == 404
    assert (await creator("PUT", "/rooms/closed/members/reader", {"rights": "all"})).status_code == 422


async def test_a_link_lets_its_bearer_in_until_it_is_taken_back(app: RoomsApp, people: dict[str, Caller]) -> None:
    creator, guest = people["creator"], people["guest"]
    made = await creator.ok("POST", "/rooms/closed/links", {"rights": "read", "expiresInSeconds": 60})
    listed = (await creator.ok("GET", "/rooms/closed/links"))["items"]
    assert [link["id"] for link in listed] == [made["id"]]
    assert "link" not in listed[0] and listed[0]["expiresAt"]
    joined = await guest.ok("POST", "/join", {"link": made["link"]})
    assert (joined["name"], joined["rights"]) == ("closed", "read")
    assert app.events[-1] == MembersChanged("closed", (guest.id,))
    await guest.ok("GET", "/rooms/closed")
    more = await creator.ok("POST", "/rooms/closed/links", {"rights": "write"})
    assert (await guest.ok("POST", "/join", {"link": more["link"]}))["rights"] == "write"
    assert (await guest.ok("POST", "/join", {"link": made["link"]}))["rights"] == "write"  # nobody loses by a link
    assert (await people["owner"].ok("POST", "/join", {"link": made["link"]}))["rights"] == "own"
    assert (await creator.ok("POST", "/join", {"link": made["link"]}))["rights"] == "own"
    assert (await creator("DELETE", f"/rooms/open/links/{made['id']}")).status_code == 404  # another room's
    assert (await creator("DELETE", f"/rooms/closed/links/{made['id']}")).status_code == 204
    assert (await creator("DELETE", f"/rooms/closed/links/{made['id']}")).status_code == 404
    assert (await people["stranger"]("POST", "/join", {"link": made["link"]})).status_code == 404
    await guest.ok("GET", "/rooms/closed")


async def test_an_expired_link_is_as_good_as_none(app: RoomsApp, people: dict[str, Caller]) -> None:
    made = await people["creator"].ok("POST", "/rooms/closed/links", {"expiresInSeconds": 0.001})
    expired = await people["stranger"]("POST", "/join", {"link": made["link"]})
    unknown = await people["stranger"]("POST", "/join", {"link": "x" * 43})
    assert (expired.status_code, expired.json()) == (404, unknown.json())
    assert (await people["creator"].ok("GET", "/rooms/closed/links"))["items"] == []
    for body in ({"rights": "own"}, {"expiresInSeconds": 0}, {"expiresInSeconds": 1e300}, {"expiresInSeconds": "NaN"}):
        assert (await people["creator"]("POST", "/rooms/closed/links", body)).status_code == 422, body


async def test_all_links_are_revoked_at_once_and_what_owners_do_with_links_is_audited(
    app: RoomsApp, people: dict[str, Caller]
) -> None:
    creator, admin = people["creator"], people["admin"]
    room = (await creator.ok("POST", "/rooms", {"name": "with-links"}))["name"]
    made = [await creator.ok("POST", f"/rooms/{room}/links", {"expiresInSeconds": seconds}) for seconds in (60, None)]
    assert [one["expiresAt"] is None for one in made] == [False, True]
    for _ in range(2):  # a repetition finds nothing to revoke
        assert (await creator("DELETE", f"/rooms/{room}/links")).status_code == 204
    assert (await creator.ok("GET", f"/rooms/{room}/links"))["items"] == []
    for one in made:
        assert (await people["stranger"]("POST", "/join", {"link": one["link"]})).status_code == 404
    copy = (await creator.ok("POST", f"/rooms/{room}/duplicate", {"name": "with-links-2"}))["name"]
    items = (await admin.ok("GET", "/admin/audit?limit=200"))["items"]
    acts = [(one["act"], one["subject"]) for one in reversed(items) if one["subject"] in (room, copy)]
    assert acts == [
        ("room.create", room),
        ("room.link", room),
        ("room.link", room),
        ("room.remove_links", room),
        ("room.create", copy),
    ]


async def test_what_an_admin_does_in_others_rooms_is_remembered(app: RoomsApp, people: dict[str, Caller]) -> None:
    admin = people["admin"]
    await people["creator"].ok("PATCH", "/rooms/closed", {"locked": True})
    await admin.ok("PATCH", "/rooms/closed", {"locked": False})
    await admin.ok("PUT", "/rooms/closed/members/stranger", {"rights": "read"})
    await admin.ok("DELETE", "/rooms/closed/members/stranger")
    await admin.ok("POST", "/rooms/closed/links", {})
    await admin.ok("DELETE", "/rooms/closed")
    entries = (await admin.ok("GET", "/admin/audit"))["items"]
    acts = [entry["act"] for entry in entries if entry["subject"] == "closed"]
    assert acts == ["room.delete", "room.link", "room.remove_member", "room.member", "room.change", "room.create"]
    actors = [entry["actorName"] for entry in entries if entry["subject"] == "closed"]
    assert actors == ["admin"] * 5 + ["creator"]
