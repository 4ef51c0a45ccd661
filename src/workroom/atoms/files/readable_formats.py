"""The formats that are read: those whose ASE reader takes everything from the bytes of the given file.

Some readers of ASE open further files that the given one names, run programs, or connect to servers. An upload in such
a format could read any file of the machine, so the list names the formats that may be read, not those that may not. A
format that a newer ASE adds is refused until its reader has been examined and listed here.
"""

from __future__ import annotations

from types import MappingProxyType

from workroom.domain.errors import BadInput

H5MD = "h5md"

# vasp and vasp-out also look for POTCAR, OUTCAR, POSCAR and CONTCAR in the folder of the file, by these fixed names.
READABLE = frozenset(
    {
        "abinit-in", "abinit-out", "acemolecule-out", "aims", "aims-output", "castep-castep", "castep-geom",
        "castep-md", "castep-phonon", "cfg", "cif", "cjson", "cmdft", "cp2k-dcd", "crystal", "cube",
        "dacapo-text", "db", "dftb", "dlp-history", "dlp4", "dmol-arc", "dmol-car", "dmol-incoor", "elk",
        "espresso-in", "espresso-out", "extxyz", "gamess-us-out", "gamess-us-punch", "gaussian-in", "gaussian-out",
        "gen", "gpaw-out", "gpumd", "gromacs", "gromos", "json", "jsv", "lammps-data", "lammps-dump-binary",
        "lammps-dump-text", "magres", "mol", "mustem", "nomad-json", "nwchem-in", "nwchem-out", "onetep-out",
        "orca-output", "prismatic", "proteindatabank", "qbox", "res", "rmc6f", "runnerdata", "sdf", "siesta-xv",
        "struct", "struct_out", "sys", "traj", "turbomole", "turbomole-gradient", "v-sim", "vasp", "vasp-out",
        "vasp-xdatcar", "vasp-xml", "wout", "xsd", "xsf", "xyz",
    }
)  # fmt: skip

_NAMES_FILES = "it can name other files, which its reader would open"
_IS_A_FOLDER = "it is a folder, not a file"
_IS_A_SERVER = "it is a database server, not a file"
_ENDLESS = "its reader does not end if the file is incomplete"
_NEEDS_PROGRAM = "its reader looks for files and programs of the simulation code on this machine"
REFUSED = MappingProxyType(
    {
        "abinit-gsr": _NAMES_FILES,  # NetCDF-4 is HDF5, with links to other files
        "acemolecule-input": _NAMES_FILES,
        "bundletrajectory": _IS_A_FOLDER,
        "castep-cell": _NEEDS_PROGRAM,
        "cp2k-restart": _ENDLESS,
        "eon": _IS_A_FOLDER,
        "gpw": _NEEDS_PROGRAM,
        "mysql": _IS_A_SERVER,
        "netcdftrajectory": _NAMES_FILES,
        "octopus-in": _NAMES_FILES,
        "onetep-in": _NAMES_FILES,
        "postgresql": _IS_A_SERVER,
        "xtd": _NAMES_FILES,  # the positions are in a second file
    }
)


def readable(format: str) -> str:
    """Return the format if it may be read; BadInput with the reason otherwise."""
    if format == H5MD or format in READABLE:
        return format
    if why := REFUSED.get(format):
        raise BadInput(
            f"Files of format {format} cannot be read here: {why}. Convert it to extxyz first, for example with "
            f"`ase convert -i {format} FILE new.extxyz`.",
            format=format,
        )
    raise BadInput(f"{format[:50]!r} cannot be read here. Try extxyz, cif, pdb, traj, vasp or h5md.")
