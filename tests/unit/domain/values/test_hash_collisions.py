"""Keys that were chosen to have the same hash are refused; keys of everyday use are not."""

from __future__ import annotations

from typing import Any

import pytest

from workroom.domain.errors import BadInput
from workroom.domain.values.codec import pack, unpack
from workroom.domain.values.hash_collisions import check_hashes

PERIOD = 2**61 - 1  # integers that differ by it have the same hash


@pytest.mark.parametrize(
    "keys",
    [
        [],
        range(-1_000, 1_000),
        [2.0**exponent for exponent in range(-1_000, 1_000)],
        [str(number) for number in range(1_000)],
        [(number, -number) for number in range(1_000)],
        [None, True, 1.5, b"x", "x"],
    ],
)
def test_everyday_keys_pass(keys: Any) -> None:
    check_hashes(keys)
    assert unpack(pack(set(keys))) == set(keys)


@pytest.mark.parametrize(
    "keys",
    [
        [number * PERIOD for number in range(100)],
        [(number * PERIOD, other * PERIOD) for number in range(10) for other in range(10)],
    ],
)
def test_keys_of_one_hash_are_refused(keys: Any) -> None:
    with pytest.raises(BadInput, match="same hash"):
        check_hashes(keys)
    with pytest.raises(BadInput, match="same hash"):
        unpack({"~": ["set", [pack(key) for key in keys]]})
    with pytest.raises(BadInput, match="same hash"):
        unpack({"~": ["dict", [[pack(key), 0] for key in keys]]})
