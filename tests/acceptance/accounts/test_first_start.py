"""The first start: an admin, a signing secret, and files for the owner's eyes only."""

from __future__ import annotations

import asyncio
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.acceptance.rooms_app import configured

from workroom.actions.accounts import accounts
from workroom.actions.engine import Engine
from workroom.domain.errors import DataFolderUnusable
from workroom.server.auth import passwords
from workroom.server.auth.bootstrap import ensure_admin, load_or_create_secret, signing_secret


async def password_is(engine: Engine, password: str) -> bool:
    known = await accounts.credentials(engine, "admin")
    assert known is not None and known.role == "admin"
    return (await passwords.verify_password(password, known.password_hash, address=""))[0]


def files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_the_first_start_makes_an_admin_with_a_random_password_kept_for_its_owner(
    engine: Engine, tmp_path: Path
) -> None:
    assert await ensure_admin(engine, configured(), tmp_path) is True
    file = tmp_path / "admin-password"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert await password_is(engine, file.read_text().strip())
    assert await ensure_admin(engine, configured(), tmp_path) is False
    assert files_in(tmp_path) == ["admin-password"]


async def test_a_given_password_is_used_and_not_written(engine: Engine, tmp_path: Path) -> None:
    assert await ensure_admin(engine, configured(admin_password="given"), tmp_path) is False
    assert await password_is(engine, "given")
    assert files_in(tmp_path) == []


async def test_a_first_start_that_was_cut_short_is_taken_up_again(engine: Engine, tmp_path: Path) -> None:
    kept = load_or_create_secret(tmp_path / "admin-password", lambda: "kept from before")
    assert await ensure_admin(engine, configured(), tmp_path) is True
    assert await password_is(engine, kept)


async def test_servers_starting_together_make_one_admin(engine: Engine, tmp_path: Path) -> None:
    made = await asyncio.gather(*(ensure_admin(engine, configured(), tmp_path) for _ in range(3)))
    assert sorted(made) == [False, False, True]
    assert await password_is(engine, (tmp_path / "admin-password").read_text().strip())


def test_the_signing_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        made = {start.result() for start in [threads.submit(signing_secret, configured(), tmp_path) for _ in range(8)]}
    assert len(made) == 1
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert signing_secret(configured(secret="s" * 32), tmp_path) == "s" * 32


def test_a_secret_that_others_can_read_is_refused_with_the_way_to_mend_it(tmp_path: Path) -> None:
    signing_secret(configured(), tmp_path)
    (tmp_path / "secret-key").chmod(0o640)
    with pytest.raises(DataFolderUnusable, match="chmod 600"):
        signing_secret(configured(), tmp_path)
    (tmp_path / "secret-key").chmod(0o600)
    (tmp_path / "secret-key").write_text("\n")
    with pytest.raises(DataFolderUnusable, match="empty"):
        signing_secret(configured(), tmp_path)
