"""What `workroom doctor` says of confinement, on this machine and on others."""

from __future__ import annotations

import pytest

from workroom.confinement import available_mechanisms, bubblewrap, landlock, seccomp


def told(
    monkeypatch: pytest.MonkeyPatch, *, abi: int, bwrap: bool, filters: bool
) -> tuple[available_mechanisms.Mechanism, ...]:
    monkeypatch.setattr(landlock, "abi", lambda: abi)
    monkeypatch.setattr(bubblewrap, "works", lambda: bwrap)
    monkeypatch.setattr(seccomp, "is_supported", lambda: filters)
    monkeypatch.setattr(available_mechanisms, "is_linux", True)
    return tuple(available_mechanisms.mechanisms())


@pytest.mark.parametrize(
    ("abi", "bwrap", "active", "words"),
    [(7, True, True, "Landlock (ABI 7)"), (0, True, True, "bubblewrap"), (0, False, False, "has no Landlock")],
)
def test_the_mechanism_for_files_is_named(
    monkeypatch: pytest.MonkeyPatch, abi: int, bwrap: bool, active: bool, words: str
) -> None:
    files, _ = told(monkeypatch, abi=abi, bwrap=bwrap, filters=True)
    assert files.is_active is active and words in files.detail
    assert active or "install bubblewrap" in files.fix


def test_sockets_without_seccomp_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    _, sockets = told(monkeypatch, abi=7, bwrap=False, filters=True)
    assert sockets.is_active and "seccomp" in sockets.detail
    _, sockets = told(monkeypatch, abi=4, bwrap=False, filters=False)
    assert not sockets.is_active and "TCP but no Unix sockets" in sockets.detail and sockets.fix
