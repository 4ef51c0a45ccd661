"""The extensions that come with Workroom, and files of structures.

    modifiers/   make a new structure of the one that is shown
    selections/  choose atoms of it
    analysis/    measure the trajectory, and draw it
    files/       read and write trajectories, a frame at a time

What each does is a function of structures; `run` only fetches them from the room and puts the result there. ASE and
everything else that is slow to import is imported when a job first needs it.
"""

from __future__ import annotations

from workroom.atoms.analysis.energies import Energy, Forces
from workroom.atoms.analysis.geometry import Angle, Dihedral, Distance
from workroom.atoms.analysis.msd import MSD
from workroom.atoms.analysis.properties import Properties1D, Properties2D
from workroom.atoms.analysis.rdf import RDF
from workroom.atoms.files.import_job import Open
from workroom.atoms.modifiers.composition import ChangeType, Delete, Duplicate, Supercell
from workroom.atoms.modifiers.dynamics import MolecularDynamics
from workroom.atoms.modifiers.empty import Empty, NewCanvas
from workroom.atoms.modifiers.relax import Relax
from workroom.atoms.modifiers.smiles import AddFromSMILES
from workroom.atoms.modifiers.transform import Center, FixAtoms, Rotate, Translate, Wrap
from workroom.atoms.selections.basic import All, IdenticalSpecies, Invert, NoneSelection, Random, Range
from workroom.atoms.selections.neighbours import Connected, Neighbours
from workroom.client.extension import Extension

# In the order people see them.
BUILT_IN: tuple[type[Extension], ...] = (
    Delete,
    Duplicate,
    ChangeType,
    Wrap,
    Center,
    Supercell,
    Translate,
    Rotate,
    FixAtoms,
    NewCanvas,
    Empty,
    AddFromSMILES,
    Relax,
    MolecularDynamics,
    All,
    NoneSelection,
    Invert,
    Range,
    Random,
    IdenticalSpecies,
    Connected,
    Neighbours,
    Distance,
    Angle,
    Dihedral,
    Properties1D,
    Properties2D,
    RDF,
    MSD,
    Energy,
    Forces,
    Open,
)

# What a pool's processes import ahead, so that no job waits for it.
WARM_UP = (
    "ase.build",
    "ase.calculators.singlepoint",
    "ase.filters",
    "ase.io",
    "ase.optimize",
    "plotly.graph_objects",
    "vesin",
)
__all__ = [
    "BUILT_IN",
    "MSD",
    "RDF",
    "AddFromSMILES",
    "All",
    "Angle",
    "Center",
    "ChangeType",
    "Connected",
    "Delete",
    "Dihedral",
    "Distance",
    "Duplicate",
    "Empty",
    "Energy",
    "FixAtoms",
    "Forces",
    "IdenticalSpecies",
    "Invert",
    "MolecularDynamics",
    "Neighbours",
    "NewCanvas",
    "NoneSelection",
    "Open",
    "Properties1D",
    "Properties2D",
    "Random",
    "Range",
    "Relax",
    "Rotate",
    "Supercell",
    "Translate",
    "Wrap",
]
