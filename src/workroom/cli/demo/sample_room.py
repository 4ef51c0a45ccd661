"""The content of the demo's room: a trajectory, its energies, bookmarks and a chat message."""

from __future__ import annotations

from typing import Any, cast

from workroom import Room

FRAMES = 80
WELCOME_MESSAGE = """\
**Welcome to your room.** Everything here is live, and everything can be undone.

- The trajectory is a copper cluster that was heated a moment ago. *Space* stops it; the energy plot follows.
- Open **Extensions → modifiers → Relax** and press *Run*: frames stream in while it runs.
- **Your file:** drop it onto the page, press *Add file*, or `workroom my.xyz`.
- **Your extension:** a Python class of twelve lines and `workroom worker my.py --room welcome`; its form appears here.
- **Your cluster:** `workroom worker my.py --global --url …` on any machine that can reach this server.
"""


def fill_room(room: Room) -> None:
    """Fill the empty room."""
    room.extend(heated_cluster())
    room.run("analysis/Energy").result(timeout=120)
    room.bookmarks[0] = "cold"
    room.bookmarks[FRAMES - 1] = "hot"
    room.chat.send(WELCOME_MESSAGE)


def heated_cluster() -> list[Any]:
    """The trajectory of a copper cluster that is heated, with energy and forces in each frame."""
    import numpy as np
    from ase import cluster, units
    from ase.calculators.emt import EMT
    from ase.calculators.singlepoint import SinglePointCalculator
    from ase.md.langevin import Langevin

    atoms = cast(Any, cluster).Icosahedron("Cu", 3)
    atoms.center(vacuum=4.0)
    atoms.calc = EMT()
    md: Any = Langevin(atoms, 4 * units.fs, temperature_K=50, friction=0.02, fixcm=False, rng=np.random.default_rng(7))
    frames: list[Any] = []
    for number in range(FRAMES):
        md.set_temperature(temperature_K=50 + 12 * number)
        md.run(4)
        frame: Any = atoms.copy()
        frame.calc = SinglePointCalculator(frame, energy=atoms.get_potential_energy(), forces=atoms.get_forces().copy())
        frame.info["temperature"] = float(atoms.get_temperature())
        frames.append(frame)
    return frames
