"""The built-in extensions, and reading and writing of structure files.

    analysis/              extensions that measure the trajectory and plot the result
    files/                 reading and writing of trajectory files, one frame at a time
    modifiers/             extensions that derive a new structure from the current frame
    selections/            extensions that select atoms of the current frame
    bonds                  neighbours and bonds of atoms
    calculators            calculators of energies and forces
    form_fields            Pydantic fields of the extensions' parameters
    frame_batcher          frames of a running job, added to the room in batches
    properties             properties of a structure by name
    selection_and_results  structures, selections of atoms, kept results
    room_trajectory        access to a room's trajectory

The work of each extension is a function of structures; `run` fetches them from the room and stores the result there.
ASE and other modules that are slow to import are imported when a job first needs them.
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

# In the order of the web app.
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

# Modules without which none of them can run, and what single ones need besides. A pool offers only what can run.
NEEDS = ("ase", "h5py", "plotly", "vesin")
BUILT_IN_OPTIONS = {"AddFromSMILES": {"needs": ("rdkit",)}}

# Modules that a pool's processes import in advance, so that no job waits for it.
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
