"""Words for what is done to a room, and the names that things in it may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from workroom.domain.errors import BadInput
from workroom.domain.rooms.items import Kind, item_key, label
from workroom.domain.rooms.locks import TARGETS, lock_target, refresh_pause


@pytest.mark.parametrize(
    ("kind", "given", "gone", "words"),
    [
        (Kind.SELECTION, {"particles": [1, 2]}, [], "selected 2 atoms"),
        (Kind.SELECTION, {"particles": [7]}, [], "selected 1 atom"),
        (Kind.SELECTION, {"particles": []}, [], "selected no atoms"),
        (Kind.SELECTION, {"forces": [7]}, [], "selected 1 item of forces"),
        (Kind.SELECTION, {}, ["forces"], "removed selection forces"),
        (Kind.SELECTION, {"a": [], "b": []}, [], "changed 2 selections"),
        (Kind.FRAME_SELECTION, {"frames": [1, 2, 3]}, [], "selected 3 frames"),
        (Kind.FRAME_SELECTION, {}, ["frames"], "selected all frames again"),
        (Kind.BOOKMARK, {"4": "here"}, [], "bookmarked frame 4 as 'here'"),
        (Kind.GEOMETRY, {"box": {}}, [], "set geometry box"),
        (Kind.FIGURE, {}, ["a", "b"], "removed 2 figures"),
        (Kind.METADATA, {"a": 1}, ["b"], "changed 2 metadata"),
        (Kind.METADATA, {"x" * 100: 1}, [], f"set metadata {'x' * 59}…"),
    ],
)
def test_a_change_is_told_in_words(kind: Kind, given: Mapping[str, Any], gone: list[str], words: str) -> None:
    assert label(kind, given, [*given, *gone], gone) == words


def test_every_kind_of_item_has_a_lock_of_its_own() -> None:
    targets = [kind.target for kind in Kind]
    assert len(set(targets)) == len(targets)
    assert {*targets} == TARGETS - {"trajectory"}


@pytest.mark.parametrize("key", ["", "a/b", ".", "..", "x" * 201, "a\x00"])
def test_a_key_is_part_of_a_url(key: str) -> None:
    with pytest.raises(BadInput):
        item_key(key)


def test_python_names_of_targets_are_known() -> None:
    assert lock_target("selection_groups") == "selection-groups"
    assert lock_target("my_thing") == "my_thing"
    for wrong in ("", "x" * 101, "a/b", "a\nb", "a\x00b"):
        with pytest.raises(BadInput):
            lock_target(wrong)


def test_two_refreshes_may_get_lost() -> None:
    assert 2 * refresh_pause(60) < 60
