"""A command that starts nothing makes nothing: without a server and a database it says where it looked for them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from workroom.cli import app
from workroom.cli.help_examples import EXAMPLES

# These make a data folder or a login, or need a file of the user first.
MAKERS = {"open", "serve", "demo", "worker", "pool", "celery", "post", "login", "db upgrade", "db restore"}
OTHERS = sorted(name for name in EXAMPLES if name not in MAKERS and not name.startswith("fleet "))
WITHOUT_A_SERVER = {"doctor", "version", "config show", "logout"}  # these have an answer all the same


@pytest.mark.parametrize("name", OTHERS)
def test_a_command_without_a_server_creates_no_folder_and_names_the_missing_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, home = tmp_path / "no such folder", tmp_path / "home"
    home.mkdir()
    for variable in ("WORKROOM_URL", "WORKROOM_DATABASE", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("WORKROOM_DATA", str(folder))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    example = next(one for one in EXAMPLES[name] if "--url" not in one)
    typed = re.search(r"workroom ([^)]*)", example)
    assert typed is not None

    result = CliRunner().invoke(app, [*shlex.split(typed[1]), *(["--yes"] if name.endswith(" delete") else [])])

    assert not folder.exists()
    assert list(home.iterdir()) == []
    if name not in WITHOUT_A_SERVER:
        assert result.exit_code == 1, result.output
        assert str(folder) in result.stderr
        assert "WORKROOM_DATA" in result.stderr
