"""Records sign-ins: a line of the log and a count for each, and a row of the audit log for a failed one.

The lines name the address of the client, so that a program like fail2ban can shut it out. They never have a secret.
"""

from __future__ import annotations

from workroom.actions.accounts.audit import record_failed_sign_in
from workroom.actions.engine import Engine
from workroom.logs import get_logger
from workroom.server.metrics.of_process import count_sign_in

log = get_logger(__name__)


def record_sign_in(name: str, *, address: str, method: str) -> None:
    count_sign_in(method, "ok")
    log.info("signed in", user=name, method=method, address=address)


def record_sign_out(name: str, *, address: str) -> None:
    log.info("signed out", user=name, address=address)


async def record_failure(engine: Engine, *, name: str, address: str, method: str) -> None:
    """A refused sign-in, with the name that was given. The limits of sign-ins bound how many there are."""
    count_sign_in(method, "failed")
    log.warning("sign-in failed", user=name, method=method, address=address)
    await record_failed_sign_in(engine, name=name, address=address, method=method)
