"""The embedded PostgreSQL: one owner, no leftovers, and a start that copes with what it finds."""

from __future__ import annotations

import os
import pwd
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from rich.console import Console
from tests.store.postgres_server import parent_of, throw_away_folder

from workroom.cli.demo import tell_what_root_makes
from workroom.domain.errors import DatabaseUnreachable, DataFolderInUse, DataFolderUnusable, EmbeddedUnavailable
from workroom.store.embedded import (
    EmbeddedPostgres,
    OwnerLock,
    binaries,
    data_dir,
    default_data_folder,
    os_user,
    remove_abandoned_clusters,
    running_url,
)
from workroom.store.embedded.binaries import INSTALLATION, PACKAGE, Binaries, binaries_for
from workroom.store.embedded.orphaned_server import processes_of
from workroom.store.embedded.os_user import account_for
from workroom.store.embedded.tuning import MB, Machine, settings_for

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL under another account")


@pytest.fixture
def new_data() -> Generator[Path]:
    with throw_away_folder() as folder:
        yield folder / "data"


@pytest.fixture(scope="module")
def used_data() -> Generator[Path]:
    with throw_away_folder() as folder:
        with EmbeddedPostgres(folder / "data"):
            pass
        yield folder / "data"


@pytest.fixture
def data(used_data: Path, new_data: Path) -> Path:
    """A data folder that had an owner before: copied, because making one takes ten times as long."""
    subprocess.run(["cp", "--archive", used_data, new_data], check=True)
    return new_data


def answer(url: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute("select current_user || ' in ' || current_database()").fetchone()
        return row and row[0]


def socket_folder(url: str) -> Path:
    return Path(url.partition("host=")[2])


def test_it_starts_answers_and_leaves_nothing_running(new_data: Path) -> None:
    with EmbeddedPostgres(new_data) as postgres:
        assert answer(postgres.url) == "workroom in workroom"
        assert running_url(new_data) == postgres.url
        assert stat.S_IMODE(socket_folder(postgres.url).stat().st_mode) == 0o700
        url = postgres.url

    assert running_url(new_data) is None
    assert processes_of(new_data / "postgres") == []
    assert not socket_folder(url).exists()


def test_a_second_owner_is_told_who_has_the_folder_and_what_to_do(data: Path) -> None:
    with EmbeddedPostgres(data) as postgres:
        with pytest.raises(DataFolderInUse, match=rf"process {os.getpid()} .*--data.*workroom pool"):
            EmbeddedPostgres(data).start()
        assert answer(postgres.url)


def test_it_outlives_the_thread_that_started_it(data: Path) -> None:
    postgres = EmbeddedPostgres(data)
    starter = threading.Thread(target=postgres.start)
    starter.start()
    starter.join()
    try:
        assert answer(postgres.url)
    finally:
        postgres.stop()


def test_a_forked_child_neither_stops_it_nor_keeps_it(data: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from workroom.store.embedded import EmbeddedPostgres\n"
        "postgres = EmbeddedPostgres(Path(sys.argv[1])); postgres.start()\n"
        "if os.fork() == 0:\n"
        "    postgres.stop(); print('forked', flush=True); sys.stdin.read(); os._exit(0)\n"
        "os.wait()\n"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", script, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdin
    assert owner.stdout
    with owner:
        assert owner.stdout.readline() == "forked\n"
        url = running_url(data)
        assert url
        assert answer(url)
        owner.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, owner.pid, os.WEXITED | os.WNOWAIT)
        # The child still lives, and yet the folder is free.
        with EmbeddedPostgres(data) as postgres:
            assert answer(postgres.url)


def test_a_pid_file_that_names_an_unrelated_process_does_not_stop_the_start(data: Path) -> None:
    with EmbeddedPostgres(data):
        written = (data / "postgres" / "postmaster.pid").read_text().splitlines()
    stale = [str(os.getpid()), *written[1:]]
    (data / "postgres" / "postmaster.pid").write_text("\n".join(stale) + "\n")

    with EmbeddedPostgres(data) as postgres:
        assert answer(postgres.url)


def test_a_killed_server_is_started_again_under_its_url(data: Path) -> None:
    with EmbeddedPostgres(data) as postgres:
        url = postgres.url
        postmaster = int((data / "postgres" / "postmaster.pid").read_text().splitlines()[0])
        guard = os.pidfd_open(parent_of(postmaster))
        os.kill(postmaster, signal.SIGKILL)
        assert select.select([guard], [], [], 10)[0], "the guard ends with its server"
        os.close(guard)
        postgres.start()

        assert postgres.url == url
        assert answer(url)


def test_the_address_is_the_same_at_every_start(data: Path) -> None:
    with EmbeddedPostgres(data) as postgres:
        url = postgres.url
    # What a killed server leaves, with a pid that an unrelated process has by now.
    socket_folder(url).mkdir(mode=0o700)
    shutil.chown(socket_folder(url), (data / "postgres").stat().st_uid)
    (socket_folder(url) / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    (socket_folder(url) / ".s.PGSQL.5432").touch()

    with EmbeddedPostgres(data) as postgres:
        assert postgres.url == url
        assert answer(url)


def test_servers_on_one_external_database_share_the_folder_and_others_are_refused(data: Path) -> None:
    first, second = OwnerLock.share(data, "one"), OwnerLock.share(data, "one")
    first.release()
    for refused in (lambda: OwnerLock.share(data, "another"), EmbeddedPostgres(data).start):
        with pytest.raises(DataFolderInUse, match=rf"process {os.getpid()}.*another database"):
            refused()
    assert running_url(data) is None
    second.release()
    with EmbeddedPostgres(data), pytest.raises(DataFolderInUse, match=r"workroom pool"):
        OwnerLock.share(data, "one")
    OwnerLock.share(data, "another").release()


def test_the_socket_of_a_unit_is_in_its_runtime_directory(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Units have a /tmp of their own. A path that would be too long for a socket is not used."""
    runtime = Path(tempfile.mkdtemp(prefix="workroom-run-", dir="/tmp"))
    try:
        runtime.chmod(0o711)
        monkeypatch.setenv("RUNTIME_DIRECTORY", f"{runtime}:/run/other")
        with EmbeddedPostgres(data) as postgres:
            assert socket_folder(postgres.url).parent == runtime
            assert answer(postgres.url)
        monkeypatch.setenv("RUNTIME_DIRECTORY", str(runtime / ("long" * 20)))
        with EmbeddedPostgres(data) as postgres:
            assert socket_folder(postgres.url).parent == Path("/tmp")
    finally:
        runtime.rmdir()


@as_root
def test_a_socket_folder_that_another_user_has_made_is_not_used(data: Path) -> None:
    with EmbeddedPostgres(data) as postgres:
        url = postgres.url
    taken = socket_folder(url)
    for make in (lambda: taken.mkdir(mode=0o777), lambda: taken.symlink_to("/tmp"), taken.touch):
        make()
        try:
            os.chown(taken, 12345, 12345, follow_symlinks=False)
            with EmbeddedPostgres(data) as postgres:
                assert postgres.url != url
                assert answer(postgres.url)
        finally:
            taken.rmdir() if taken.is_dir() and not taken.is_symlink() else taken.unlink()


def test_a_killed_watchdog_leaves_no_server_behind(data: Path) -> None:
    with EmbeddedPostgres(data) as postgres:
        postmaster = int((data / "postgres" / "postmaster.pid").read_text().splitlines()[0])
        os.kill(parent_of(postmaster), signal.SIGKILL)
        url = postgres.url

    assert processes_of(data / "postgres") == []
    assert not socket_folder(url).exists()


def test_a_first_start_cut_short_is_begun_anew(new_data: Path) -> None:
    (new_data / "postgres.unfinished" / "base").mkdir(parents=True)
    new_data.chmod(0o711)

    with EmbeddedPostgres(new_data) as postgres:
        assert answer(postgres.url)


def test_a_server_that_cannot_start_shows_its_log(data: Path) -> None:
    (data / "postgres" / "postgresql.auto.conf").write_text("shared_buffers = 'plenty'\n")

    postgres = EmbeddedPostgres(data)
    with pytest.raises(DatabaseUnreachable, match=r"did not start[\s\S]*plenty"):
        postgres.start()
    assert running_url(data) is None


def test_a_cluster_of_another_version_is_named(data: Path) -> None:
    (data / "postgres" / "PG_VERSION").write_text("17\n")

    with pytest.raises(DataFolderUnusable, match=r"PostgreSQL 17.*brings 18"):
        EmbeddedPostgres(data).start()


def test_a_file_is_no_data_folder(new_data: Path) -> None:
    new_data.write_text("")

    with pytest.raises(DataFolderUnusable, match="--data"):
        EmbeddedPostgres(new_data).start()


def test_missing_binaries_are_named(new_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: str) -> None:
        return None

    monkeypatch.setattr("workroom.store.embedded.binaries.find_spec", nothing)
    with pytest.raises(EmbeddedUnavailable, match=r"workroom\[server\]"):
        EmbeddedPostgres(new_data).start()


@as_root
def test_below_a_private_folder_the_cluster_is_kept_elsewhere() -> None:
    with throw_away_folder(0o700) as private:
        data = private / "data"
        for _ in range(2):
            with EmbeddedPostgres(data) as postgres:
                assert answer(postgres.url)
        cluster = (data / "postgres").readlink()

        assert (cluster.parent / "origin").read_text() == f"{data}\n"
        assert stat.S_IMODE(private.stat().st_mode) == 0o700


@as_root
def test_a_closed_system_folder_is_named_with_the_command_that_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with throw_away_folder(0o700) as private, throw_away_folder() as around:
        system = around / "workroom"
        system.mkdir(mode=0o700)
        monkeypatch.setattr(data_dir, "SYSTEM_FOLDER", system)
        monkeypatch.setattr(data_dir, "CLUSTERS", system / "clusters")
        monkeypatch.setattr(binaries, "SYSTEM_FOLDER", system)
        with pytest.raises(DataFolderUnusable, match=f"cannot enter {system}.*chmod 711 {system}"):
            EmbeddedPostgres(private / "data").start()
        account = account_for(system / "postgres")
        monkeypatch.setattr(binaries, "find_binaries", lambda: Binaries(private))
        with pytest.raises(DataFolderUnusable, match=f"chmod 711 {system}`"):
            binaries_for(account)
        assert list(system.iterdir()) == [system / "clusters"], "nothing was copied"


@as_root
def test_a_data_folder_may_be_moved_but_not_shared_by_a_copy() -> None:
    with throw_away_folder(0o700) as private:
        with EmbeddedPostgres(private / "data"):
            pass
        moved = (private / "data").rename(private / "moved")
        with EmbeddedPostgres(moved) as postgres:
            assert answer(postgres.url)
        shutil.copytree(moved, private / "copied", symlinks=True)

        with pytest.raises(DataFolderUnusable, match="is a copy"):
            EmbeddedPostgres(private / "copied").start()


@as_root
def test_the_cluster_of_a_removed_folder_is_removed_once_it_is_idle() -> None:
    with throw_away_folder(0o700) as private:
        with EmbeddedPostgres(private / "data"):
            cluster = (private / "data" / "postgres").readlink()
            remove_abandoned_clusters(idle_for=0)
            assert cluster.exists()
        shutil.rmtree(private / "data")

        remove_abandoned_clusters()
        assert cluster.exists()
        remove_abandoned_clusters(idle_for=0)
        assert not cluster.exists()


@as_root
def test_binaries_in_a_private_folder_are_copied(new_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = binaries_for(account_for(new_data / "postgres")).folder.parent.parent
    with throw_away_folder(0o700) as private, throw_away_folder() as system:
        for part in (f"{PACKAGE}/__init__.py", f"{PACKAGE}/{INSTALLATION}", f"{PACKAGE}.libs"):
            (private / part).parent.mkdir(exist_ok=True)
            (private / part).symlink_to(installed / part)

        def private_packages() -> Path:
            return private

        monkeypatch.setattr("workroom.store.embedded.binaries._packages_folder", private_packages)
        monkeypatch.setattr("workroom.store.embedded.binaries.SYSTEM_FOLDER", system)
        with EmbeddedPostgres(new_data) as postgres:
            assert answer(postgres.url)
            [copy] = system.iterdir()
            assert (
                str(copy / PACKAGE / INSTALLATION / "bin")
                in Path(f"/proc/{(new_data / 'postgres' / 'postmaster.pid').read_text().splitlines()[0]}/exe")
                .readlink()
                .as_posix()
            )


def test_the_default_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def somebody() -> int:
        return 1000

    monkeypatch.setenv("WORKROOM_DATA", "/chosen")
    assert default_data_folder() == Path("/chosen")
    monkeypatch.delenv("WORKROOM_DATA")
    monkeypatch.setattr(os, "geteuid", somebody)
    monkeypatch.setenv("XDG_DATA_HOME", "/shared")
    assert default_data_folder() == Path("/shared/workroom")


@pytest.mark.parametrize(
    ("cores", "memory", "buffers", "workers"),
    [(1, 512, "128MB", "2"), (4, 8192, "1024MB", "4"), (64, 262144, "2048MB", "8")],
)
def test_tuning_follows_the_machine_and_never_trades_durability(
    cores: int, memory: int, buffers: str, workers: str
) -> None:
    settings = settings_for(Machine(cores, memory * MB), lz4=False)

    assert (settings["shared_buffers"], settings["autovacuum_max_workers"]) == (buffers, workers)
    assert (settings["fsync"], settings["synchronous_commit"]) == ("on", "on")


def test_a_start_as_root_tells_beforehand_that_it_makes_an_account(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(_: str) -> None:
        raise KeyError

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os_user, "_useradd", lambda: "/usr/sbin/useradd")
    monkeypatch.setattr(pwd, "getpwnam", nobody)
    tell_what_root_makes(Console())
    assert "makes the system account 'workroom'" in capsys.readouterr().out
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    tell_what_root_makes(Console())
    assert capsys.readouterr().out == ""


def test_the_first_line_of_make_demo_tells_what_it_makes_as_root() -> None:
    said = subprocess.run(
        ["make", "--no-print-directory", "what-the-demo-does", "LEAN=/nonexistent"],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    as_root = "system account 'workroom'" in said and "/var/lib/workroom" in said
    assert as_root == (os.geteuid() == 0) and as_root != ("Nothing else of this machine is changed" in said)
