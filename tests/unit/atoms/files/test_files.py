"""Files of structures: there and back, and what is said of broken ones."""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from tests.structures import EMT, Atoms, ase_connect, ase_write, bulk, molecule

from workroom.atoms.files import WRITABLE, h5md, h5md_writing, read_frames, write_frames
from workroom.atoms.files.units import factor
from workroom.atoms.selection_and_results import Structure, with_results
from workroom.domain.errors import BadInput


def trajectory(length: int = 5) -> list[Structure]:
    """Copper that moves, with velocities, energies and forces."""
    frames: list[Structure] = []
    for index in range(length):
        atoms = bulk("Cu", cubic=True)
        atoms.rattle(0.1, seed=index)
        atoms.set_momenta(np.random.default_rng(index).normal(size=(4, 3)))
        atoms.info["time"] = index * 2.0
        atoms.calc = EMT()
        atoms.get_forces()
        frames.append(with_results(atoms, atoms.calc.results, "emt"))
    return frames


@pytest.mark.parametrize("format", WRITABLE)
def test_what_is_written_is_read_back(tmp_path: Path, format: str) -> None:
    frames = trajectory()
    file = tmp_path / f"copper.{format}"
    assert write_frames(iter(frames), file) == 5
    seen: list[tuple[float, int]] = []
    back = list(read_frames(file, progress=lambda share, count: seen.append((share, count))))
    assert [count for _, count in seen] == [1, 2, 3, 4, 5] and seen[-1][0] == 1.0
    for before, after in zip(frames, back, strict=True):
        assert after.get_chemical_symbols() == before.get_chemical_symbols()
        moved = before.copy()
        if format == "cif":
            moved.wrap()  # fractional coordinates between 0 and 1
        assert np.allclose(
            after.get_all_distances(mic=format != "xyz"), moved.get_all_distances(mic=format != "xyz"), atol=2e-3
        )
        if format != "xyz":
            assert np.allclose(after.cell.cellpar(), before.cell.cellpar(), atol=2e-3) and after.pbc.all()
        if format in ("extxyz", "traj", "h5md"):
            assert after.get_potential_energy() == pytest.approx(before.get_potential_energy())
            assert np.allclose(after.get_forces(), before.get_forces(), atol=1e-7)
            assert np.allclose(after.get_momenta(), before.get_momenta(), atol=1e-7)
        if format in ("extxyz", "h5md"):
            assert after.info["time"] == before.info["time"]


@pytest.mark.parametrize("format", WRITABLE)
def test_selected_atoms_are_written_with_their_forces_but_not_the_energy_of_all(tmp_path: Path, format: str) -> None:
    frames = trajectory(2)
    file = tmp_path / "part"
    write_frames(frames, file, format=format, selection=(3, 1))
    for before, after in zip(frames, read_frames(file, format=format), strict=True):
        assert len(after) == 2
        assert format == "cif" or np.allclose(after.get_distance(0, 1), before.get_distance(3, 1), atol=2e-3)
        if format in ("extxyz", "traj", "h5md"):
            assert np.allclose(after.calc.results["forces"], before.get_forces()[[3, 1]], atol=1e-7)
            assert "energy" not in after.calc.results


def test_h5md_holds_frames_of_different_sizes_and_cells(tmp_path: Path) -> None:
    file = tmp_path / "mixed.h5md"
    frames = [molecule("H2O"), trajectory(1)[0], Atoms(), molecule("CH3CH2OH")] * 40
    frames[3].set_masses(np.arange(1.0, 10.0))
    assert write_frames(frames, file) == 160
    for before, after in zip(frames, read_frames(file), strict=True):
        assert np.array_equal(after.numbers, before.numbers) and np.allclose(after.positions, before.positions)
        assert np.allclose(after.cell, before.cell) and np.array_equal(after.pbc, before.pbc)
        assert after.has("momenta") == before.has("momenta")
        assert (after.calc is None) == (before.calc is None)
        assert np.allclose(after.get_masses(), before.get_masses())


def test_h5md_is_written_and_read_in_small_blocks_when_frames_are_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (h5md, h5md_writing):
        monkeypatch.setattr(module, "BLOCK_ATOMS", 7)
    frames = [molecule("H2O"), molecule("CH3CH2OH"), molecule("H2O"), molecule("H2O"), molecule("CO2")]
    assert write_frames(frames, tmp_path / "a.h5md") == 5
    back = list(read_frames(tmp_path / "a.h5md"))
    assert [atoms.get_chemical_formula() for atoms in back] == ["H2O", "C2H6O", "H2O", "H2O", "CO2"]


def test_h5md_of_other_programs_is_read_in_its_units(tmp_path: Path) -> None:
    file = tmp_path / "other.h5"
    opened: Any = h5py.File(file, "w")
    with opened as root:
        group = root.create_group("particles/all")
        group["species"] = [8, 1, 1]  # the same for all frames
        group["position/value"] = np.ones((2, 3, 3)) * 0.1
        group["position/value"].attrs["unit"] = "nm"
        group["position/time"] = [0.0, 0.5]
        group["position/time"].attrs["unit"] = "ps"
        group["box/edges"] = [1.0, 2.0, 3.0]
        group["box/edges"].attrs["unit"] = "nm"
        group["box"].attrs["boundary"] = np.array(["periodic", "periodic", "none"], dtype="S8")
        root["observables/potential_energy/value"] = [96.4853321, 0.0]
        root["observables/potential_energy/value"].attrs["unit"] = "kJ mol-1"
    first, second = read_frames(file)
    assert first.get_chemical_formula() == "H2O" and np.allclose(first.positions, 1.0)
    assert first.cell.lengths().tolist() == [10, 20, 30] and first.pbc.tolist() == [True, True, False]
    assert second.info["time"] == 500.0 and first.get_potential_energy() == pytest.approx(1.0)
    with pytest.raises(BadInput, match="'furlong' is not known"):
        factor("furlong")


def test_an_ase_database_is_read_row_by_row(tmp_path: Path) -> None:
    file = tmp_path / "rows.db"
    with ase_connect(file) as database:
        for frame in trajectory(3):
            database.write(frame, relaxed=True, group="copper")
    back = list(read_frames(file, name="whatever"))
    assert len(back) == 3 and back[2].info["relaxed"] and back[2].info["group"] == "copper"
    assert back[1].get_potential_energy() == pytest.approx(trajectory(3)[1].get_potential_energy())


@pytest.mark.parametrize(
    ("name", "format"),
    [("POSCAR", "vasp"), ("cu.cif", "cif"), ("cu.xsf", "xsf"), ("cu.json", "json"), ("cu.gro", "gromacs")],
)
def test_other_formats_are_read_by_ase_under_the_name_people_gave_them(tmp_path: Path, name: str, format: str) -> None:
    copper = bulk("Cu", cubic=True)
    ase_write(tmp_path / name, copper, format=format)
    (tmp_path / name).rename(tmp_path / "0123456789abcdef")
    (back,) = read_frames(tmp_path / "0123456789abcdef", name=name)
    assert back.get_chemical_formula() == "Cu4"
    assert np.allclose(back.get_all_distances(mic=True), copper.get_all_distances(mic=True), atol=0.02)
    if name == "cu.cif":
        assert back.info["spacegroup"] == "P 1"  # a name, not an object


def test_models_of_a_pdb_file_share_the_cell_told_once(tmp_path: Path) -> None:
    file = tmp_path / "two.pdb"
    atom = "ATOM      1  O   HOH A   1       1.000   2.000   3.000  1.00  0.00           O\n"
    cell = "CRYST1   10.000   11.000   12.000  90.00  90.00  90.00 P 1\n"
    file.write_text(f"{cell}MODEL 1\n{atom}ENDMDL\nMODEL 2\n{atom}ENDMDL\nEND\n")
    one, two = read_frames(file)
    assert one.cell.lengths().tolist() == two.cell.lengths().tolist() == [10, 11, 12]


@pytest.mark.parametrize(("pack", "ending"), [(gzip.compress, "gz"), (bz2.compress, "bz2")])
def test_compressed_text_is_unpacked_on_the_way(tmp_path: Path, pack: Any, ending: str) -> None:
    write_frames(trajectory(3), tmp_path / "a.extxyz")
    packed = tmp_path / f"a.extxyz.{ending}"
    packed.write_bytes(pack((tmp_path / "a.extxyz").read_bytes()))
    assert len(list(read_frames(packed))) == 3


GOOD = "2\nfirst\nH 0 0 0\nH 0 0 1\n"


@pytest.mark.parametrize(
    ("content", "name", "complaint"),
    [
        (b"", "a.xyz", "a.xyz is empty"),
        (b"\x00\x01\x02", "a.bin", "cannot be detected"),
        (GOOD + "two\nsecond\n", "a.xyz", "beyond frame 0: line 5: a number of atoms was expected."),
        (GOOD + "3\nsecond\nH 0 0 0\n", "a.xyz", "line 5: the frame has 3 atoms, but the file ends 2 lines too early"),
        (GOOD + "1\nsecond\nH 0 zero 0\n", "a.xyz", "the frame at line 5"),
        (GOOD + "1\nsecond\nQq 0 0 0\n", "a.xyz", "the frame at line 5"),
        ("-1\nx\n", "a.xyz", "-1 is no number of atoms"),
        ("\n\n\n", "a.xyz", "has no structures"),
        ("data_x\n_cell_length_a nonsense\n", "a.cif", "a.cif has no structures, read as cif"),
        ("HEADER\nEND\n", "a.pdb", "has no structures"),
        ("ATOM      1  O   HOH A   1       1.000   x.000   3.000  1.00  0.00           O\n", "a.pdb", "line 1"),
        (b"- of UlmASE-Trajectory" + bytes(40), "a.traj", "a.traj cannot be read as traj"),
        (b"\x89HDF\r\n\x1a\n" + bytes(100), "a.h5", "a.h5 cannot be read as h5md"),
        (b"SQLite format 3\x00" + bytes(100), "a.db", "a.db cannot be read as db"),
        (b"no hdf", "a.h5md", "but not its content"),
        ("x", "POSCAR", "POSCAR cannot be read as vasp"),
        ("x", "../../etc/passwd", "The format of passwd"),
    ],
)
def test_a_broken_file_is_named_with_its_format_and_the_place(
    tmp_path: Path, content: str | bytes, name: str, complaint: str
) -> None:
    file = tmp_path / "spool"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadInput) as caught:
        list(read_frames(file, name=name))
    assert complaint in str(caught.value) and str(tmp_path) not in str(caught.value)


def test_hdf5_that_is_no_h5md_says_so(tmp_path: Path) -> None:
    opened: Any = h5py.File(tmp_path / "a.h5", "w")
    opened.close()
    with pytest.raises(BadInput, match="HDF5, but not H5MD"):
        list(read_frames(tmp_path / "a.h5"))


@pytest.mark.parametrize("format", ["nonsense", "bundletrajectory", "postgresql", "html"])
def test_formats_that_cannot_be_read_are_refused(tmp_path: Path, format: str) -> None:
    (tmp_path / "a").write_text(GOOD)
    with pytest.raises(BadInput, match="cannot be read here"):
        list(read_frames(tmp_path / "a", format=format))


@pytest.mark.parametrize("format", WRITABLE)
def test_a_file_that_cannot_be_finished_leaves_what_was_there(tmp_path: Path, format: str) -> None:
    def breaks() -> Iterator[Structure]:
        yield from trajectory(2)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write_frames(breaks(), tmp_path / f"a.{format}")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / f"a.{format}").write_text("before")
    with pytest.raises(RuntimeError, match="no more"):
        write_frames(breaks(), tmp_path / f"a.{format}")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]
    with pytest.raises(BadInput, match="Choose one of extxyz"):
        write_frames(trajectory(1), tmp_path / "a.docx")


@pytest.mark.parametrize("format", ["extxyz", "pdb", "traj", "h5md"])
def test_only_a_few_frames_are_ever_in_memory(tmp_path: Path, format: str) -> None:
    copper = bulk("Cu", cubic=True)
    peaks: list[int] = []
    for length in (64, 384):
        file = tmp_path / f"{length}.{format}"
        write_frames((copper.copy() for _ in range(length)), file)
        next(read_frames(file))  # what is imported on the way stays
        tracemalloc.start()
        try:
            assert sum(1 for _ in read_frames(file)) == length
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] - peaks[0] < 200_000, peaks  # the frames together have megabytes
