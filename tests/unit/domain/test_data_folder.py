"""The default data folder, and account names derived from OS users."""

from __future__ import annotations

from pathlib import Path

import pytest

from workroom.domain.data_folder import data_folder
from workroom.domain.names import account_name, account_name_from

HOME = Path("/home/ada")


def test_the_environment_decides_first() -> None:
    assert data_folder({"WORKROOM_DATA": "/chosen"}, is_root=True, home=HOME) == Path("/chosen")


def test_root_uses_the_system_folder() -> None:
    assert data_folder({"XDG_DATA_HOME": "/shared"}, is_root=True, home=HOME) == Path("/var/lib/workroom")


def test_other_users_have_a_folder_of_their_own() -> None:
    assert data_folder({"XDG_DATA_HOME": "/shared"}, is_root=False, home=HOME) == Path("/shared/workroom")
    assert data_folder({}, is_root=False, home=HOME) == HOME / ".local/share/workroom"


@pytest.mark.parametrize(
    ("text", "name"),
    [("ada", "ada"), ("DOMAIN\\ada", "DOMAIN-ada"), ("._ada", "ada"), ("€", "guest"), ("x" * 90, "x" * 64)],
)
def test_a_name_derived_from_any_text_is_a_valid_account_name(text: str, name: str) -> None:
    assert account_name(account_name_from(text, default="guest")) == name
