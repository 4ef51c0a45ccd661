"""Installations without some of the extras: what is missing is named with the command that installs it."""

from __future__ import annotations

import os
import re
import time
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from ase import Atoms
from tests.acceptance.live import ADMIN_PASSWORD, PROGRAM, ROOT, LiveServer
from tests.partial_install import PartialInstall

from workroom import Room
from workroom.extras import EXTRAS

SERVER, ATOMS = "pip install 'workroom[server]'", "pip install 'workroom[atoms]'"


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> PartialInstall:
    """`pip install workroom`, without extras."""
    return PartialInstall(tmp_path_factory.mktemp("light"))


def test_every_package_of_an_extra_is_known() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    modules = packages_distributions()
    for extra, known in EXTRAS.items():
        packages = {_normal(re.split(r"[\[>=<; ]", one)[0]) for one in declared[extra]}
        assert packages <= {_normal(package) for module in known for package in modules[module]}


def test_the_extras_are_the_same_everywhere() -> None:
    """In pyproject.toml, in messages, on the page of the extras, in the image, and in every command of the pages."""
    declared = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    assert set(EXTRAS) == declared
    page = (ROOT / "docs/reference/extras.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == declared
    (image,) = re.findall(r"workroom-\*\.whl\)\[([\w,]+)\]", (ROOT / "deploy/Containerfile").read_text())
    assert set(image.split(",")) == set(EXTRAS)
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "Makefile"]
    commands = [found for file in texts for found in re.findall(r"workroom\[([\w,]+)\]", file.read_text())]
    named = {extra for command in commands for extra in command.split(",")}
    assert named and named <= declared


def _normal(package: str) -> str:
    return package.lower().replace("_", "-")


def test_the_light_install_names_what_is_missing(light: PartialInstall, tmp_path: Path) -> None:
    (tmp_path / "water.xyz").write_text("1\n\nH 0 0 0\n")
    (tmp_path / "tasks.py").write_text(
        "from workroom import job\n@job()\ndef double(n):\n    return 2 * n\n"
        "if __name__ == '__main__':\n    double.post_work([(1,)], database='postgresql://nobody@127.0.0.1:9/x')\n"
    )
    commands = {
        "serve": SERVER,
        "config show": SERVER,
        "db check": SERVER,
        "profiles top": SERVER,
        "pool --import tasks.py": SERVER,
        "pool --built-in": ATOMS,
        "celery": "pip install 'workroom[celery]'",
        "water.xyz": ATOMS,
        "demo --check": "pip install 'workroom[server,atoms]'",
    }
    for command, ended in light.commands(*commands, cwd=tmp_path, env={"WORKROOM_DATA": str(tmp_path / "data")}):
        assert ended["code"] == 1 and ended["output"].startswith("error: "), (command, ended)
        assert commands[command] in ended["output"], (command, ended)
    for program in (["tasks.py"], ["-c", "from workroom import ClusterPool"]):
        ended = light.run(*program, cwd=tmp_path)
        assert ended.stderr.strip().splitlines()[-1].startswith("workroom.domain.errors.MissingPackage: psycopg")
        assert SERVER in ended.stderr


def test_the_light_client_has_one_http_library(light: PartialInstall, server: LiveServer, tmp_path: Path) -> None:
    libraries = {"aiohttp", "http3", "httplib2", "httpx", "httpx2", "pycurl", "requests", "tornado", "urllib3"}
    assert libraries & {package.name for package in light.packages.iterdir()} == {"httpx2"}
    assert not {"socketio", "engineio"} & {package.name for package in light.packages.iterdir()}
    program = (
        "import sys\nfrom workroom import Category, Extension, Room\n\n"
        "class Double(Extension):\n    category = Category.MODIFIER\n    n: int = 1\n"
        "    def run(self, vis, **kwargs):\n        return 2 * self.n\n\n"
        f"with Room('light', {server.url!r}, 'ada', create=True) as room:\n"
        "    room.register_extension(Double)\n"
        "    assert room.run('modifiers/Double', n=21).wait(30).result() == 42\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    ended = light.run("-c", program, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert libraries & set(re.findall(r"'(\w+)'", ended.stdout)) == {"httpx2"}


def test_a_server_without_atoms_offers_nothing_that_cannot_run(light: PartialInstall, tmp_path: Path) -> None:
    live = LiveServer(WORKROOM_POOL="1")
    live.program, live.python = PROGRAM, str(PartialInstall(tmp_path / "server", "server").python)
    try:
        live.start()
        with Room("lab", live.url, "admin", ADMIN_PASSWORD) as room:
            room.append(Atoms("H"))
            answer = room.portal.call(
                room.inner.access.http.post(
                    "/api/rooms/lab/files",
                    files={"file": ("water.xyz", b"1\n\nH 0 0 0\n")},
                    headers={"Authorization": f"Bearer {room.portal.call(room.inner.access.tokens.token())}"},
                )
            )
            assert answer.status_code == 404 and "log has the reason" in answer.json()["detail"]
            assert len(room.extensions) == 0
        assert "workroom.atoms needs ase, h5py, plotly, vesin, which are not installed" in live.log()
        began = time.monotonic()
        ended = light.run(
            "-c", f"from workroom import Room\nwith Room('lab', {live.url!r}) as room:\n    room[0]", cwd=tmp_path
        )
        assert "MissingPackage: A structure needs ase" in ended.stderr and ATOMS in ended.stderr
        assert time.monotonic() - began < 15, "a missing package is not waited for"
    finally:
        live.remove()


def test_a_folder_that_may_not_be_entered_is_told(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    # Root may enter every folder, unless it gives up the capability.
    plain = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    inside = {"WORKROOM_DATA": str(closed / "data")}
    full = PartialInstall(tmp_path / "full", *EXTRAS)
    try:
        for commands, env in (
            (["serve", "config show", "jobs list", "doctor"], inside),
            (["config show"], {"WORKROOM_CONFIG": str(closed / "x.toml")}),
        ):
            for command, ended in full.commands(*commands, env=env, prefix=plain):
                assert ended["code"] == 1 and str(closed) in ended["output"], (command, ended)
                assert re.search("--data|WORKROOM_CONFIG|--url", ended["output"]), (command, ended)
        ended = full.run("-c", "from workroom import Room\nRoom('lab')", env=inside, prefix=plain)
        assert "ServerUnreachable: This user may not read" in ended.stderr
    finally:
        closed.chmod(0o700)
