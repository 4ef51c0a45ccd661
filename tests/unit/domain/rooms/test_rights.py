"""What people may do in a room."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from workroom.domain.errors import Forbidden, NotFound
from workroom.domain.rooms.rights import Rights, check_rights, may_offer, rights_in_room

READ, WRITE, OWN = Rights.READ, Rights.WRITE, Rights.OWN


def test_each_right_includes_those_before_it() -> None:
    allowed = {(have, need) for have, need in itertools.product(Rights, Rights) if have.allows(need)}
    assert allowed == {(READ, READ), (WRITE, READ), (WRITE, WRITE), (OWN, READ), (OWN, WRITE), (OWN, OWN)}


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("member", [None, "read", "write", "own"])
def test_rights_follow_from_the_room_and_the_person(public: bool, member: str | None) -> None:
    for admin, owned in ((True, False), (False, True), (True, True)):
        assert rights_in_room(admin=admin, owned=owned, public=public, member=member) is OWN
    plain = rights_in_room(admin=False, owned=False, public=public, member=member)
    if public:
        assert plain is (OWN if member == "own" else WRITE)
    else:
        assert plain == member


def test_too_few_rights_are_refused_and_none_at_all_are_not_even_told() -> None:
    with pytest.raises(NotFound):
        check_rights(None, READ, locked=False)
    with pytest.raises(Forbidden):
        check_rights(READ, WRITE, locked=False)
    assert check_rights(WRITE, WRITE, locked=False) is WRITE


def test_a_locked_room_is_read_by_all_and_written_by_owners() -> None:
    assert check_rights(READ, READ, locked=True) is READ
    assert check_rights(OWN, WRITE, locked=True) is OWN
    with pytest.raises(Forbidden, match="unlock"):
        check_rights(WRITE, WRITE, locked=True)


@pytest.mark.parametrize(
    ("who", "private", "members", "users", "guests"),
    [
        ({"role": "admin"}, True, True, True, True),
        ({"role": "guest", "owned": True}, True, True, True, True),
        ({"role": "guest", "member": "own"}, True, True, True, True),
        ({"role": "guest", "member": "write"}, True, True, True, True),
        ({"role": "guest", "member": "read"}, False, False, False, True),
        ({"role": "user", "member": "read"}, False, False, True, True),
        ({"role": "user"}, False, False, True, True),
        ({"role": "guest"}, False, False, False, True),
    ],
)
def test_who_may_offer_extensions(who: dict[str, Any], private: bool, members: bool, users: bool, guests: bool) -> None:
    facts: dict[str, Any] = {"owned": False, "member": None} | who
    for choice, allowed in (("members", members), ("users", users), ("guests", guests)):
        assert may_offer(**facts, public=True, extensions_from=choice) is allowed
        assert may_offer(**facts, public=False, extensions_from=choice) is private
