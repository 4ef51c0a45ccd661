"""The schema goes to head once, whoever asks, and the command line tells how it stands."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from tests.store.postgres_server import throw_away_folder
from typer.testing import CliRunner

from workroom.cli import app
from workroom.domain.errors import SchemaDiffers, SchemaTooNew, SchemaTooOld
from workroom.store.embedded import EmbeddedPostgres
from workroom.store.migrate import digests, head, prepare_for_pool, require_head, revision, upgrade

cli = CliRunner()
ROOT = Path(__file__).parents[2]
# The SHA-256 of each released migration, from its release on.
FROZEN = dict[str, str]()


@pytest.fixture(scope="module")
def postgres() -> Generator[EmbeddedPostgres]:
    with throw_away_folder() as folder, EmbeddedPostgres(folder / "data") as running:
        yield running


@pytest.fixture
def empty_database(postgres: EmbeddedPostgres) -> str:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    return postgres.url


@pytest.fixture
def newer_database(empty_database: str) -> str:
    upgrade(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    return empty_database


def test_an_empty_database_has_no_revision_and_needs_an_upgrade(empty_database: str) -> None:
    assert revision(empty_database) is None
    with pytest.raises(SchemaTooOld, match="workroom db upgrade"):
        require_head(empty_database)


def test_an_upgrade_goes_to_head_and_a_second_one_does_nothing(empty_database: str) -> None:
    assert upgrade(empty_database) is True
    assert revision(empty_database) == head()
    require_head(empty_database)
    assert upgrade(empty_database) is False


def test_a_pool_creates_a_schema_and_changes_none(empty_database: str) -> None:
    prepare_for_pool(empty_database)
    assert revision(empty_database) == head()
    with psycopg.connect(empty_database) as connection:
        connection.execute("update alembic_version set version_num = '0000'")
    with pytest.raises(SchemaTooOld, match="workroom db upgrade"):
        prepare_for_pool(empty_database)
    assert revision(empty_database) == "0000"


def test_servers_starting_together_upgrade_once(empty_database: str) -> None:
    with ThreadPoolExecutor(4) as starters:
        for _ in starters.map(upgrade, [empty_database] * 4):
            pass

    assert revision(empty_database) == head()


def test_a_newer_schema_is_left_alone(newer_database: str) -> None:
    with pytest.raises(SchemaTooNew, match="Upgrade this program"):
        require_head(newer_database)
    with pytest.raises(SchemaTooNew):
        upgrade(newer_database)

    assert revision(newer_database) == "9999"


@pytest.mark.parametrize(
    "older", ["update applied_migration set digest = repeat('0', 64)", "drop table applied_migration"]
)
def test_a_database_of_another_unreleased_checkout_is_refused(empty_database: str, older: str) -> None:
    upgrade(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute(older.encode())

    for use in (upgrade, require_head, prepare_for_pool):
        with pytest.raises(SchemaDiffers, match=r"unreleased version .*--data"):
            use(empty_database)
    checked = cli.invoke(app, ["db", "check", "--json", "--database", empty_database])
    assert (checked.exit_code, json.loads(checked.stdout)["error"]["code"]) == (1, "schema_differs")
    assert "another data folder" in cli.invoke(app, ["doctor", "--database", empty_database]).stdout


def test_a_dump_of_another_checkout_does_not_replace_a_database(empty_database: str, tmp_path: Path) -> None:
    upgrade(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute("update applied_migration set digest = repeat('0', 64)")
    file = tmp_path / "other.sql.gz"
    assert cli.invoke(app, ["db", "dump", str(file), "--database", empty_database]).exit_code == 0
    with psycopg.connect(empty_database) as connection:
        connection.execute("update applied_migration set digest = %s", (digests()["0001_schema.sql"],))

    refused = cli.invoke(app, ["db", "restore", str(file), "--replace", "--database", empty_database])
    assert (refused.exit_code, "only that version restores it" in refused.stderr) == (1, True), refused.output
    require_head(empty_database)


def test_a_second_start_imports_no_migration_machinery(empty_database: str) -> None:
    upgrade(empty_database)
    script = (
        "import sys; from workroom.store.migrate import upgrade, require_head;"
        f"upgrade({empty_database!r}); require_head({empty_database!r});"
        "sys.exit('alembic' in sys.modules or 'sqlalchemy' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_db_upgrade_and_check_succeed_with_0(empty_database: str) -> None:
    behind = cli.invoke(app, ["db", "check", "--database", empty_database])
    assert (behind.exit_code, "workroom db upgrade" in behind.stderr) == (1, True)

    assert cli.invoke(app, ["db", "upgrade", "--database", empty_database]).exit_code == 0

    checked = cli.invoke(app, ["db", "check", "--json", "--database", empty_database])
    facts = json.loads(checked.stdout)
    assert checked.exit_code == 0
    assert (facts["revision"], facts["head"], facts["ok"]) == (head(), head(), True)
    assert facts["server"].startswith("18.")


def test_db_check_tells_a_newer_schema_with_1(newer_database: str) -> None:
    checked = cli.invoke(app, ["db", "check", "--json", "--database", newer_database])

    assert checked.exit_code == 1
    assert json.loads(checked.stdout)["error"]["code"] == "schema_too_new"
    assert checked.stderr.startswith("error: ")


def test_db_check_tells_an_unreachable_database_with_1() -> None:
    checked = cli.invoke(app, ["db", "check", "--database", "postgresql://me:secret@127.0.0.1:1/x"])

    assert checked.exit_code == 1
    assert checked.stderr.startswith("error: No PostgreSQL answers at postgresql://me@127.0.0.1:1/x")


def test_db_tells_wrong_usage_with_2() -> None:
    assert cli.invoke(app, ["db", "check", "--colour", "red"]).exit_code == 2


def test_db_shares_the_embedded_database_of_a_running_process(postgres: EmbeddedPostgres, empty_database: str) -> None:
    upgraded = cli.invoke(app, ["db", "upgrade", "--data", str(postgres.data)])

    assert (upgraded.exit_code, upgraded.stderr) == (0, "")
    assert revision(empty_database) == head()


def test_db_runs_the_embedded_database_for_itself_when_nobody_does() -> None:
    with throw_away_folder() as folder:
        data = str(folder / "data")
        assert cli.invoke(app, ["db", "upgrade", "--data", data]).exit_code == 0
        checked = cli.invoke(app, ["db", "check", "--data", data])

        assert checked.exit_code == 0, checked.output
        assert not Path(data, "postgres", "postmaster.pid").exists()


def test_released_migrations_are_frozen_and_there_is_one_before_the_first_release() -> None:
    files = {file.name: file for file in (ROOT / "src/workroom/store/migrations/sql").glob("*.sql")}
    changed = [
        name for name, digest in FROZEN.items() if hashlib.sha256(files[name].read_bytes()).hexdigest() != digest
    ]
    assert changed == [], "a released migration was changed: write another one"
    is_released = re.search(r"^## \[?\d", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE) is not None
    assert is_released == bool(FROZEN), "a release freezes its migrations: add their digests to FROZEN"
    if not is_released:
        assert sorted(files) == ["0001_schema.sql"], "before the first release 0001 is edited in place"
