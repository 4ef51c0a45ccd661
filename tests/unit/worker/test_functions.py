"""Registered functions: pickled by name, found by file, and what a pool refuses before it starts a process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from workroom import BadInput, ClusterPool, Registry, job
from workroom.worker.loading import load
from workroom.worker.postings.packed_calls import Calls


@job(name="pickled_by_name")
def pickled_by_name(number: int) -> int:
    return number


def test_a_registered_function_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(pickled_by_name)) is pickled_by_name


def test_a_module_that_is_imported_and_loaded_by_its_file_is_no_clash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loaded_twice.py").write_text("from workroom import job\n@job()\ndef found_twice(): return 1\n")
    monkeypatch.chdir(tmp_path)
    load("loaded_twice")
    load("loaded_twice.py")
    assert "found_twice" in Registry


def test_an_array_as_arguments_is_refused_by_its_rows() -> None:
    with pytest.raises(BadInput, match="as a tuple"):
        list(Calls.from_args(np.arange(3), None))


def test_a_pool_names_the_settings_that_it_does_not_take() -> None:
    with pytest.raises(TypeError, match=r"takes no recycle, retries.*recycle_after"):
        ClusterPool(1, recycle=5, retries=3)


def test_a_pool_refuses_functions_that_its_processes_cannot_load() -> None:
    script = "from workroom import ClusterPool, job\n@job()\ndef here(): pass\nClusterPool(1).load()"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "here cannot be loaded by the processes of the pool" in ran.stderr
