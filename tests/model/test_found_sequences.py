"""Sequences that the random test has found, played again: PostgreSQL and the model agree after every step."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar

from tests.model.test_postgres_machine import PostgresMachine, open_workshop

# A job of `b` is submitted while jobs of `a` wait for workers whose breakers may let a probe through. The next worker
# has to choose among all its extensions, and every other idle worker is filled, too.
PROBES_ARE_DUE = """
open_the_shop
submit_for_both what=2434
report said=35, which=643
attach_or_detach which=4096
register what=173
finish_the_oldest said=269
register what=1147
register what=547
attach_or_detach which=457
submit_for_both what=475
finish_the_oldest said=421
attach_or_detach which=1732
submit_for_both what=3375
finish_the_oldest said=323
attach_or_detach which=1338
report said=1676, which=2072
release_unconfirmed
attach_or_detach which=496
release_unconfirmed
upkeep which=400
submit_for_both what=255
attach_or_detach which=1014
submit_for_both what=244
release_unconfirmed
release_unconfirmed
release_unconfirmed
attach_or_detach which=2892
register what=83
finish_the_oldest said=3570
finish_the_oldest said=3999
upkeep which=2579
release_unconfirmed
finish_the_oldest said=199
attach_or_detach which=4095
attach_or_detach which=766
upkeep which=0
come_due which=529
finish_the_oldest said=173
attach_or_detach which=625
finish_the_oldest said=898
report said=501, which=575
attach_or_detach which=96
come_due which=761
release_unconfirmed
finish_the_oldest said=473
come_due which=246
release_unconfirmed
report said=194, which=824
come_due which=407
report said=2127, which=342
come_due which=1033
report said=1476, which=705
release_unconfirmed
release_unconfirmed
submit_for_both what=354
release_unconfirmed
upkeep which=674
submit_for_both what=2440
"""


def test_a_submit_lets_workers_take_the_probes_that_are_due(database_url: str) -> None:
    class Machine(PostgresMachine):
        """Counts for itself."""

        ended: ClassVar[Counter[str]] = Counter()

    with asyncio.Runner() as runner:
        Machine.runner = runner
        Machine.workshop, Machine.people = runner.run(open_workshop(database_url))
        try:
            machine = Machine()
            for line in PROBES_ARE_DUE.split("\n"):
                verb, _, values = line.partition(" ")
                if verb:
                    named = (pair.split("=") for pair in values.split(", ") if pair)
                    getattr(machine, verb)(**{name: int(value) for name, value in named})
                    machine.everything_holds()
        finally:
            runner.run(Machine.workshop.engine.database.close())
