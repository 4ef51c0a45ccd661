"""Which names rooms, accounts, categories and extensions may have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.errors import BadInput, NameReserved
from workroom.domain.names import RESERVED_ROOMS, account_name, category_name, extension_name, room_name

EVERY = [room_name, account_name, category_name, extension_name]


@pytest.mark.parametrize("name", [*sorted(RESERVED_ROOMS), "Public", "GLOBAL", "BuiltIn", "@x", "@", "@public"])
def test_a_reserved_room_name_is_refused_as_reserved(name: str) -> None:
    with pytest.raises(NameReserved) as refusal:
        room_name(name)
    assert refusal.value.detail == {"name": name}


@pytest.mark.parametrize("name", ["lab", "Lab-2", "a", "0", "publicly", "my.room_1", "a" * 100])
def test_a_plain_room_name_is_taken_as_it_is(name: str) -> None:
    assert room_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "a b",
        "a/b",
        "../up",
        ".hidden",
        "-dash",
        "_x",
        "é",
        "a\n",
        "a\0",
        "a" * 101,
        "a%20b",
        "a?b",
        "a#b",
        "日本",
    ],
)
def test_a_room_name_that_does_not_fit_a_url_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        room_name(name)


@pytest.mark.parametrize("name", ["ada", "ada.b+c@example.org", "A-1", "a" * 64])
def test_an_account_may_be_called_like_an_address(name: str) -> None:
    assert account_name(name) == name


@pytest.mark.parametrize("name", ["", "@ada", "ada b", "a" * 65, "ada\n", "ada/x", "."])
def test_other_account_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        account_name(name)


@pytest.mark.parametrize("name", ["modifiers", "a", "my-own_2", "a" * 50])
def test_a_category_is_lower_case(name: str) -> None:
    assert category_name(name) == name


@pytest.mark.parametrize("name", ["", "Modifiers", "1st", "a b", "a.b", "a" * 51, "a\n"])
def test_other_category_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        category_name(name)


@pytest.mark.parametrize("name", ["Relax", "_private", "package.module.function", "a-b", "a" * 100])
def test_an_extension_may_be_called_like_a_function(name: str) -> None:
    assert extension_name(name) == name


@pytest.mark.parametrize("name", ["", "2fast", "a b", "a/b", "a" * 101, "@x", "a\n", "<lambda>"])
def test_other_extension_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        extension_name(name)


@pytest.mark.parametrize("check", EVERY)
def test_a_long_wrong_name_is_not_repeated_in_full(check: Callable[[str], str]) -> None:
    with pytest.raises(BadInput) as refusal:
        check("a" * 10_000)
    assert len(refusal.value.message) < 250


@pytest.mark.parametrize("check", EVERY)
@given(name=st.text())
def test_no_accepted_name_needs_quoting_in_a_path(check: Callable[[str], str], name: str) -> None:
    try:
        accepted = check(name)
    except (BadInput, NameReserved):
        return
    assert accepted == name
    assert accepted.isascii()
    assert not set(accepted) & set("/\\%?#&<>\"' \t\r\n\0")
