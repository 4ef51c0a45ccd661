"""`workroom.testing`: a room without a server behaves as one of a server, and the plugin starts a real one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase import Atoms
from tests.acceptance.live import ROOT, LiveServer
from tests.structures import molecule

from workroom import Category, Extension, JobCancelled, Room
from workroom.atoms.analysis.geometry import Distance
from workroom.atoms.modifiers.composition import Delete
from workroom.domain.errors import BadInput
from workroom.testing import LocalRoom, run_extension


def script(room: Any) -> list[Any]:
    """Uses a room as extensions do, and notes what it sees."""
    seen: list[Any] = []

    def attempt(work: Callable[[], Any]) -> None:
        try:
            seen.append(work())
        except Exception as error:
            seen.append((type(error).__name__, str(error)))

    room.extend(molecule(name) for name in ("H2O", "CH4", "NH3", "C2H6"))
    room.append(Atoms("H"))
    room.bookmarks[2] = "ammonia"
    room.frame_selection = [1, 3]
    room.selection = np.array([0, 2])
    room.figures["energy"] = {"data": [{"y": [1, 2, 3, 4, 5]}], "layout": {}}
    room.figures.link("energy", "frames")
    room.step = 3
    seen.append([len(room), room.step, str(room.atoms.symbols), [len(atoms) for atoms in room[1:3]]])
    del room[0]
    room.insert(1, Atoms("He"))
    room[np.array(0)] = molecule("CO2")
    room[[True, False, False, False, True]] = [Atoms("Li"), Atoms("Be")]
    room.reverse()
    seen.append([str(atoms.symbols) for atoms in room])
    seen.append([dict(room.bookmarks), room.frame_selection, room.selection, room.step])
    seen.append(room.figures.links("energy"))
    room.selection_groups["pair"] = {"particles": [0, 1]}
    room.metadata["size"] = np.arange(2)
    seen.append([dict(room.selection_groups), dict(room.metadata), sorted(room.geometries), room.selections["none"]])
    attempt(lambda: room[9])
    attempt(lambda: room.append("water"))
    attempt(lambda: room.bookmarks.__setitem__(7, "far"))
    attempt(lambda: setattr(room, "selection", [99]))
    attempt(lambda: setattr(room, "selection", "all"))
    attempt(lambda: room.bookmarks[0])
    attempt(lambda: room.__setitem__(slice(0, 4, 2), [Atoms("H")]))
    with room.lock(msg="sorting") as lock:
        lock.msg = "still"
        room.sort(key=len)
    seen.append([str(atoms.symbols) for atoms in room])
    room.clear()
    seen.append([len(room), room.step, room.frame_selection, dict(room.bookmarks)])
    return seen


def test_a_room_without_a_server_behaves_as_one_of_a_server(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        for local, real in zip(script(LocalRoom()), script(room), strict=True):
            assert local == real


class Loop(Extension):
    category = Category.ANALYSIS
    at: Any = None

    def run(self, vis: Any, **kwargs: Any) -> Any:
        for step in range(3):
            vis.progress(step / 3, f"step {step}")
            vis.log(f"did {step}")
        return self.at, kwargs


def test_extensions_run_in_it() -> None:
    room = LocalRoom([molecule("H2O")])
    room.selection = [1, 2]
    result = run_extension(Loop(at=np.arange(2)), room, model="large")
    assert result[0].tolist() == [0, 1] and result[1] == {"model": "large"}
    assert room.progress_reports[-1] == (2 / 3, "step 2") and room.messages == ["did 0", "did 1", "did 2"]
    room.run(Distance())
    assert len(room.figures) == 1
    room.run(Delete())
    assert str(room[-1].symbols) == "O" and room.selection == ()
    room.cancel()
    with pytest.raises(JobCancelled):
        room.run(Loop())
    with pytest.raises(BadInput, match="cannot travel"):
        run_extension(Loop(at=object()))


def _pytest(folder: Path, *arguments: str) -> str:
    """Run pytest for the tests of a user, in an environment with the entry points that pyproject.toml declares."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    metadata = folder / "site" / "workroom-0.dist-info"
    metadata.mkdir(parents=True, exist_ok=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: workroom\nVersion: 0\n")
    points = "".join(f"{name} = {module}\n" for name, module in declared.items())
    (metadata / "entry_points.txt").write_text(f"[pytest11]\n{points}")
    path = os.pathsep.join([str(metadata.parent), str(ROOT / "src")])
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *arguments, "test_mine.py"]
    environment = os.environ | {"PYTHONPATH": path}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_plugin_gives_tests_a_real_server(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import time\n"
        "from workroom.testing import throw_away_server\n\n"
        "def test_mine(workroom_room, workroom_server):\n"
        "    workroom_room.metadata['a'] = 1\n"
        "    with workroom_server.room(workroom_room.name, user='other') as same:\n"
        "        assert dict(same.metadata) == {'a': 1}\n\n"
        "def test_another_server(workroom_room, workroom_server):\n"
        "    began = time.monotonic()\n"
        "    with throw_away_server(keep_days=1) as other, other.room(workroom_room.name) as room:\n"
        "        print(f'second server after {time.monotonic() - began:.1f} s')\n"
        "        assert dict(room.metadata) == {} and other.url != workroom_server.url\n"
        "        clusters = [one.data / 'postgres/global/pg_control' for one in (workroom_server, other)]\n"
        "        assert len({file.read_bytes()[:8] for file in clusters}) == 1, 'they are copies of one cluster'\n"
    )
    said = _pytest(tmp_path)
    assert "2 passed" in said
    print(re.findall("second server after .*", said))


def test_the_plugin_costs_nothing_where_it_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import sys\n\n"
        "def test_mine():\n"
        "    ours = sorted(name for name in sys.modules if name.startswith('workroom'))\n"
        "    assert ours == ['workroom', 'workroom.testing', 'workroom.testing.pytest_plugin']\n"
        "    assert not {'numpy', 'pydantic', 'aiohttp', 'httpx2', 'psycopg', 'fastapi', 'ase'} & set(sys.modules)\n"
    )
    assert "1 passed" in _pytest(tmp_path, "-p", "no:hypothesispytest", "-p", "no:schemathesis")
    assert "workroom_room" in _pytest(tmp_path, "--fixtures")
