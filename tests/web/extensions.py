"""Extensions of the browser tests' worker: one for each kind of field, and one for each way a job can go."""

from __future__ import annotations

import logging
import time
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from workroom import Category, Extension, File, FileLimits, choices


class Langevin(BaseModel):
    """Random kicks and friction."""

    kind: Literal["langevin"] = "langevin"
    friction: float = Field(
        0.02, ge=0, le=1, description="How strongly it is damped", json_schema_extra={"unit": "1/fs"}
    )


class NoseHoover(BaseModel):
    """A coupled bath."""

    kind: Literal["nose-hoover"] = "nose-hoover"
    relaxation: float = Field(100.0, gt=0, description="Relaxation time", json_schema_extra={"unit": "fs"})


class Settle(Extension):
    """Move the atoms downhill until the largest force is small. Every few steps a frame is added."""

    category = Category.MODIFIER
    method: Literal["BFGS", "FIRE", "LBFGS"] = Field("FIRE", description="How to go downhill")
    fmax: float = Field(
        0.05, gt=0, le=1, description="Stop below this force", json_schema_extra={"unit": "eV/Å", "multipleOf": 0.01}
    )
    steps: int = Field(40, ge=1, le=500, description="Stop after so many steps")
    pace: float = Field(0.02, ge=0, le=1, description="Seconds each step takes", json_schema_extra={"unit": "s"})

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        force = 2.5
        for step in range(self.steps):
            force *= 0.9
            vis.progress((step + 1) / self.steps, f"step {step + 1}: fmax {force:.3f} eV/Å")
            if step % 5 == 0:
                print(f"{self.method}  {step:4d}   energy {-12.5 - 1 / (step + 1):10.4f}   fmax {force:.4f}")
            time.sleep(self.pace)
            if force < self.fmax:
                break
        return {"converged": force < self.fmax, "steps": self.steps, "fmax": round(force, 4), "energy": -12.5312}


class Anneal(Extension):
    """Molecular dynamics with a thermostat of your choice."""

    category = Category.MODIFIER
    temperature: float = Field(300, ge=0, le=3000, description="Of the bath", json_schema_extra={"unit": "K"})
    steps: int = Field(1000, ge=1, description="How many")
    thermostat: Annotated[Langevin | NoseHoover, Field(discriminator="kind")] = Field(
        default_factory=lambda: Langevin(friction=0.01)
    )
    seed: int | None = Field(None, description="Leave empty for another run each time")
    constrain: list[int] = Field(
        default_factory=list,
        description="Atoms that stay where they are",
        json_schema_extra={"format": "atom-selection"},
    )
    push: tuple[float, float, float] = Field(
        (0.0, 0.0, 0.0), description="A velocity for all", json_schema_extra={"unit": "Å/fs"}
    )
    colour: str = Field("#6655cf", description="Of the new frames in plots", json_schema_extra={"format": "color"})
    quantity: str = Field(
        "calc.energy", description="What to write down", json_schema_extra={"format": "frame-property"}
    )
    verbose: bool = Field(False, description="Say more")

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        return {"temperature": self.temperature}


class PickElement(Extension):
    """Select all atoms of one element."""

    category = Category.SELECTION
    element: Literal["H", "C", "N", "O", "Cu"] = "O"

    def run(self, vis: Any, **kwargs: Any) -> None:
        return None


class PairHistogram(Extension):
    """Count distances between all pairs of atoms."""

    category = Category.ANALYSIS
    bins: int = Field(50, ge=2, le=500, description="How many bins")
    cutoff: float = Field(6.0, gt=0, le=20, description="Largest distance", json_schema_extra={"unit": "Å"})

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        print(f"{self.bins} bins up to {self.cutoff} Å")
        if self.cutoff > 15:
            logging.getLogger("pairs").warning("the cell is too small")
            raise ValueError(f"cutoff {self.cutoff} Å is larger than half the cell (7.5 Å)")
        return {"bins": self.bins, "peak": 2.87}


class Stretch(Extension):
    """Scales the cell. The lower bound is not a value of the field."""

    category = Category.ANALYSIS
    factor: float = Field(1.1, gt=0.1, le=10)

    def run(self, vis: Any, **kwargs: Any) -> float:
        return self.factor


class Misses(Extension):
    """Looks for something that is not there, for a while."""

    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> None:
        time.sleep(0.5)
        raise KeyError("a site")


class Endless(Extension):
    """Runs until it is cancelled."""

    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> None:
        for step in range(100_000):
            vis.progress(None, f"turn {step}")
            time.sleep(0.05)


class Deaf(Extension):
    """Does not check whether it was cancelled."""

    category = Category.ANALYSIS
    seconds: float = Field(6.0, ge=0, le=60, description="How long it takes")

    def run(self, vis: Any, **kwargs: Any) -> str:
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            time.sleep(0.05)
        return "done"


class Prepare(Extension):
    """Prepare a surface, in **several steps**: structure, then run."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"element": "Cu", "layers": 7}, {"element": "Pt"}]})
    category = Category.MODIFIER
    element: str = Field("Cu", description="Of the surface", json_schema_extra={"step": "Structure"})
    site: str = Field("", description="Where to put the molecule")
    molecule: Annotated[File, FileLimits(suffixes=(".xyz", ".mol"), max_bytes=1_000)] | None = Field(
        None, description="To put there"
    )
    layers: int = Field(3, ge=1, le=9, json_schema_extra={"step": "Run"})
    label: str = Field("", description="Of the result")

    @staticmethod
    @choices("site", depends_on=["element"])
    def sites(values: dict[str, Any], vis: Any) -> list[tuple[str, str]]:
        if values["element"] == "Xx":
            raise ValueError("there is no element Xx")
        return [(f"{values['element']}-{kind}", f"{kind} of {values['element']}") for kind in ("top", "bridge")]

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        molecule = None if self.molecule is None else self.molecule.read_text()
        return {"site": self.site, "layers": self.layers, "molecule": molecule, "label": self.label}
