"""Each way a database cannot be used has its own error, and none of them shows the password."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.store.postgres_server import TcpServer, tcp_server

from workroom.domain.errors import BadInput, DatabaseRefused, DatabaseTooOld, DatabaseUnreachable
from workroom.store import connect
from workroom.store.connect import check_database, redacted


@pytest.fixture(scope="module")
def server() -> Generator[TcpServer]:
    with tcp_server() as running:
        yield running


def test_a_usable_server_tells_its_version_and_address(server: TcpServer) -> None:
    info = check_database(server.url())

    assert info.version.startswith("18.")
    assert info.address == f"postgresql://guest@127.0.0.1:{server.port}/workroom"
    assert (info.user, info.database) == ("guest", "workroom")


def test_a_wrong_password_is_refused_and_not_shown(server: TcpServer) -> None:
    with pytest.raises(DatabaseRefused, match="password authentication failed") as refused:
        check_database(server.url(password="guessed"))

    assert "guessed" not in refused.value.message


def test_an_unknown_database_is_refused_by_name(server: TcpServer) -> None:
    with pytest.raises(DatabaseRefused, match='database "elsewhere" does not exist'):
        check_database(server.url(database="elsewhere"))


def test_an_unknown_user_is_refused(server: TcpServer) -> None:
    with pytest.raises(DatabaseRefused, match="authentication failed"):
        check_database(server.url(user="stranger"))


def test_a_missing_password_is_refused(server: TcpServer) -> None:
    with pytest.raises(DatabaseRefused, match="no password supplied"):
        check_database(f"postgresql://guest@127.0.0.1:{server.port}/workroom")


def test_a_silent_address_is_unreachable() -> None:
    with pytest.raises(
        DatabaseUnreachable, match=r"No PostgreSQL answers at postgresql://me@127\.0\.0\.1:1/x"
    ) as error:
        check_database("postgresql://me:secret@127.0.0.1:1/x")

    assert "secret" not in error.value.message
    assert "embedded" in error.value.message


def test_a_missing_socket_is_unreachable() -> None:
    with pytest.raises(DatabaseUnreachable, match="No such file"):
        check_database("postgresql://me@/x?host=/nonexistent")


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "mysql://me:secret@host/x",
        "postgresql://me:secret@host:port/x",
        "postgresql://me:s@secret@host/x",
        "postgresql://me:secret@host/x?colour=red",
        "postgresql://me:sec%ret@host/x",
    ],
)
def test_an_unreadable_url_is_bad_input_and_not_repeated(url: str) -> None:
    with pytest.raises(BadInput, match="postgresql://user:password@host:5432/name") as error:
        check_database(url)

    assert "secret" not in error.value.message


def test_an_old_server_is_told_from_a_usable_one(server: TcpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fourteen(_: object) -> int:
        return 140_012

    monkeypatch.setattr(connect, "server_version", fourteen)
    with pytest.raises(DatabaseTooOld, match="is PostgreSQL 14: Workroom needs 15 or newer"):
        check_database(server.url())


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:secret@host:5433/x", "postgresql://me@host:5433/x"),
        ("postgresql://host/x?user=me&password=secret", "postgresql://me@host/x"),
        ("postgresql://me@/x?host=/run/pg", "postgresql://me@/x?host=/run/pg"),
        ("host=db dbname=x password=secret", "postgresql://db/x"),
    ],
)
def test_a_redacted_url_says_who_and_where_without_the_password(url: str, shown: str) -> None:
    assert redacted(url) == shown
