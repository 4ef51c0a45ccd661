"""Bars of tqdm report the progress of jobs, where tqdm has the methods that are replaced."""

from __future__ import annotations

import pytest
import tqdm.std

from workroom.worker.execution import tqdm_patch


class _BarWithoutDisplay:
    def refresh(self) -> None: ...


def test_another_tqdm_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _BarWithoutDisplay.refresh
    monkeypatch.setattr(tqdm_patch, "_patched", False)
    monkeypatch.setattr(tqdm.std, "tqdm", _BarWithoutDisplay)
    tqdm_patch.patch()
    assert _BarWithoutDisplay.refresh is before
