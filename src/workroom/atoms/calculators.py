"""Calculators of energies and forces.

A worker hands its own calculator to every run (`run_kwargs={"calculator": model}`). Without one, a calculator is made
by name: of those ASE knows, and without arguments, because some of them would take a command to execute.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pydantic import BaseModel

from workroom.atoms.form_fields import ANGSTROM, described, quantity
from workroom.atoms.selection_and_results import Structure
from workroom.domain.errors import BadInput

ATTACHED = "attached"
# Effective medium theory is good for these alone; its rough parameters for H, C, N and O are there for tests of ASE.
_EMT_METALS = "Al, Cu, Ag, Au, Ni, Pd and Pt"


class Calculation(BaseModel):
    """The calculator's name and the parameters of the simple calculators."""

    calculator: str = described(
        "emt",
        "What gives energy and forces: emt (metals), lj (Lennard-Jones), morse, any other calculator by ASE's name for "
        "it, or attached: the one whose results the frame carries.",
        min_length=1,
        max_length=50,
        examples=["emt", "lj", "morse", ATTACHED],
    )
    epsilon: float = quantity(0.0103, "eV", "Depth of the Lennard-Jones potential; that of argon.", gt=0, le=1_000)
    sigma: float = quantity(3.4, ANGSTROM, "Where the Lennard-Jones potential is zero; that of argon.", gt=0, le=100)
    cutoff: float | None = quantity(
        None, ANGSTROM, "Where the Lennard-Jones potential ends; three times sigma when left out.", gt=0, le=500
    )

    def attach(self, atoms: Structure, given: Any = None) -> str:
        """Attach the calculator to the structure; returns the calculator's name."""
        name = self.calculator.strip().lower()
        if name == ATTACHED and given is None:
            name = str(getattr(atoms.calc, "name", "") or "").lower()
            if name in ("", "unknown"):
                raise BadInput("This frame carries no results of a calculator. Name one, e.g. emt or lj.")
        atoms.calc = given if given is not None else self._made(name)
        return name if given is None else str(getattr(given, "name", type(given).__name__))

    def _made(self, name: str) -> Any:
        if name in ("lj", "lennardjones", "lennard-jones"):
            from ase.calculators.lj import LennardJones

            return LennardJones(epsilon=self.epsilon, sigma=self.sigma, rc=self.cutoff, smooth=True)
        known: Any = import_module("ase.calculators.calculator")
        if name not in {*known.names, *known.external_calculators, "mace_mp", "mattersim"}:
            raise BadInput(
                f"{self.calculator!r} is no calculator that ASE knows by name. Choose emt, lj or morse; or let a "
                f'worker offer this extension with a calculator of its own: run_kwargs={{"calculator": …}}.'
            )
        try:
            return known.get_calculator_class(name)()
        except Exception as error:
            raise BadInput(f"The calculator {name!r} cannot be used here: {error}") from None


def check_calculation(atoms: Structure, name: str) -> None:
    """Calculate once, so that an unsuitable calculator fails before anything is written."""
    if not len(atoms):
        raise BadInput("This frame has no atoms.")
    try:
        atoms.get_potential_energy()
        atoms.get_forces()
    except Exception as error:
        about = f" EMT is for {_EMT_METALS}." if name == "emt" else ""
        raise BadInput(
            f"The calculator {name!r} cannot treat {atoms.get_chemical_formula()}: {error}.{about}"
        ) from None
