"""Every index that a list takes is a single index."""

from __future__ import annotations

import numpy as np
import pytest

from workroom.client.frames.indexing import checked_index, is_single


@pytest.mark.parametrize("index", [1, True, np.int8(1), np.uint64(1), np.array(1), np.array(1, dtype=">i2")])
def test_whole_numbers_of_every_type_are_single_indices(index: object) -> None:
    assert is_single(index) and checked_index(index) == 1


@pytest.mark.parametrize("index", [slice(1), [1], np.array([1]), np.array(1.0), np.array(True), "1", 1.0])
def test_others_are_none(index: object) -> None:
    assert not is_single(index)
