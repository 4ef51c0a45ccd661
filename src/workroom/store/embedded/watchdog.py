"""The watchdog: a shell between the owner and PostgreSQL that starts the server and stops it when the owner ends.

The owner alone holds the other end of the watchdog's standard input. It ends when the owner closes it or dies, by
whatever signal and from whatever thread the watchdog was started; nothing has to be caught, and nothing can be missed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from typing import IO

from workroom.store.embedded.os_user import Account

# The arguments are the server's command. Fast shutdown first; the immediate one after 20 s, for recovery to mend.
# The watch ends by USR1 while it still listens for the owner's end, and by itself once it has begun to stop the server.
SCRIPT = """
trap '' HUP INT TERM
exec 3<&0
"$@" 3<&- & server=$!
(
  read -r _ <&3
  trap '' USR1
  kill -INT "$server"
  checks=0
  while kill -0 "$server"; do
    sleep 0.05
    checks=$((checks + 1))
    [ "$checks" -eq 400 ] && kill -QUIT "$server"
    [ "$checks" -eq 600 ] && kill -KILL "$server"
  done
) >/dev/null 2>&1 & watch=$!
exec 3<&-
wait "$server"; status=$?
kill -USR1 "$watch" 2>/dev/null
wait "$watch" 2>/dev/null
exit "$status"
"""


class Watchdog:
    """A running server and its watchdog."""

    def __init__(self, account: Account, command: Sequence[str], *, log: IO[bytes]) -> None:
        read_end, self._write_end = os.pipe()
        try:
            self._process: subprocess.Popen[bytes] = account.launch(
                ["/bin/sh", "-c", SCRIPT, "workroom-watchdog", *command], stdin=read_end, output=log
            )
        except BaseException:
            self._close_pipe()
            raise
        finally:
            os.close(read_end)
        # A child forked without exec must not keep the server alive after its owner has ended.
        os.register_at_fork(after_in_child=self._close_pipe)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        self._close_pipe()
        self._process.wait()

    def _close_pipe(self) -> None:
        if self._write_end >= 0:
            os.close(self._write_end)
            self._write_end = -1
