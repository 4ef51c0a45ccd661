"""Confines a job process before it imports anything else: `python -m workroom.worker.processes.confined_child …`.

The arguments are the descriptor for messages to the worker, that of the connection broker, and a JSON object with the
limits and the policy. None of them is secret.
"""

from __future__ import annotations

import json
import os
import sys

from workroom.confinement import bubblewrap
from workroom.confinement.confine import NotConfined, confine
from workroom.confinement.memory_privacy import protect_memory
from workroom.confinement.policy import Policy
from workroom.worker.processes.limits import ProcessLimits


def main() -> None:
    start = json.loads(sys.argv[3])
    if not bubblewrap.is_inside():  # this program starts once more within bubblewrap, where they still hold
        ProcessLimits.from_message(start["limits"]).apply()
    try:
        confine(Policy.from_message(start["policy"]), os.getcwd())  # noqa: PTH109 - as a string
    except NotConfined as error:
        sys.exit(str(error))
    protect_memory()

    from workroom.client.net.brokered_connections import Broker, use
    from workroom.worker.processes import child

    use(Broker(int(sys.argv[2])))
    child.main()


if __name__ == "__main__":
    main()
