"""The tree of errors."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from workroom.domain.errors import WorkroomError, all_errors

# The stored tree only: other tests may make subclasses of their own.
ERRORS = [error for error in all_errors() if error.__module__ == "workroom.domain.errors"]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_an_error_has_a_message_a_code_and_a_status(error: type[WorkroomError]) -> None:
    assert error.__doc__ and error.__doc__.strip().endswith((".", "…"))
    assert "code" in vars(error), "each has a code of its own"
    assert error.code == error.code.lower() and error.code.replace("_", "").isalpha()
    assert 400 <= HTTPStatus(error.status) < 600


def test_no_two_errors_share_a_code() -> None:
    codes = [error.code for error in ERRORS]
    assert sorted(codes) == sorted({*codes})


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_the_docstring_is_the_message_unless_another_is_given(error: type[WorkroomError]) -> None:
    assert error().message == str(error()) == (error.__doc__ or "").strip().partition("\n")[0]
    assert error("Something else.", fact=1).message == "Something else."
    assert error(fact=1).detail == {"fact": 1}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_the_picture_at_the_top_shows_every_error(error: type[WorkroomError]) -> None:
    import workroom.domain.errors

    assert error.__name__ in (workroom.domain.errors.__doc__ or "")


def test_parents_come_before_their_children() -> None:
    for place, error in enumerate(ERRORS[1:], start=1):
        assert error.__mro__[1] in ERRORS[:place]
