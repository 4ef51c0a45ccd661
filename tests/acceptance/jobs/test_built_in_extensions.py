"""The built-in extensions in a real room: what they do there, and that it can be undone."""

from __future__ import annotations

import threading
from collections.abc import Generator
from itertools import count
from typing import Any

import numpy as np
import pytest
from tests.acceptance.live import LiveServer
from tests.structures import Octahedron, bulk

from workroom import JobCancelled, JobFailed, JobHandle, Room
from workroom.atoms import BUILT_IN
from workroom.client.extension import identity
from workroom.client.frames.ase_codec import encode_atoms
from workroom.worker.remote.offers import Offer

_numbers = count(1)


@pytest.fixture(scope="module")
def room(server: LiveServer) -> Generator[Room]:
    """A room whose worker offers all of them."""
    with Room(f"built-in-{next(_numbers)}", server.url, "ada") as made:
        made.portal.call(made.inner.worker.offer(*(Offer(one, concurrency=4) for one in BUILT_IN)))
        yield made


@pytest.fixture
def lab(room: Room) -> Room:
    """The room with a short trajectory of copper, its second frame shown, and two atoms selected."""
    room.clear()
    room.extend(crystal(seed) for seed in range(4))
    room.step = 1
    room.selection = (2, 0)
    room.frame_selection = None
    return room


def crystal(seed: int) -> Any:
    copper = bulk("Cu", cubic=True)
    copper.rattle(0.05, seed=seed)
    copper.info["time"] = 10.0 * seed
    copper.set_momenta(np.random.default_rng(seed).normal(size=(4, 3)))
    return copper


def contents(room: Room) -> dict[str, Any]:
    """Everything in the room that a job can change."""
    return {
        "frames": [encode_atoms(atoms) for atoms in room],
        "selections": dict(room.selections),
        "bookmarks": dict(room.bookmarks),
        "geometries": dict(room.geometries),
        "figures": sorted(room.figures),
    }


def done(handle: JobHandle) -> Any:
    return handle.result(30)


MODIFIERS: list[tuple[str, dict[str, Any]]] = [
    ("Delete", {}),
    ("Duplicate", {"symbol": "Au"}),
    ("ChangeType", {"symbol": "Au"}),
    ("Wrap", {}),
    ("Center", {"vacuum": 3.0}),
    ("Supercell", {"a": 2, "b": 1, "c": 1}),
    ("Translate", {"x": 1.0}),
    ("Rotate", {"angle": 30}),
    ("FixAtoms", {}),
    ("NewCanvas", {}),
    ("Empty", {}),
    ("AddFromSMILES", {"smiles": "CCO"}),
    ("Relax", {"steps": 5, "fmax": 1e-6}),
    ("MolecularDynamics", {"steps": 10, "every": 5, "seed": 1}),
]


def test_these_are_all_the_modifiers() -> None:
    assert {name for name, _ in MODIFIERS} == {name for group, name in map(identity, BUILT_IN) if group == "modifiers"}


@pytest.mark.parametrize(("name", "data"), MODIFIERS, ids=[name for name, _ in MODIFIERS])
def test_a_modifier_adds_its_result_and_shows_it_and_its_undo_gives_the_room_back(
    lab: Room, name: str, data: dict[str, Any]
) -> None:
    if name == "AddFromSMILES":
        pytest.importorskip("rdkit", reason="the extra `smiles` is not installed")
    before = contents(lab)
    handle = lab.run(f"modifiers/{name}", data)
    done(handle)
    after = contents(lab)
    assert after["frames"][:4] == before["frames"] and len(after["frames"]) > 4
    assert lab.step == len(lab) - 1
    lab.undo(handle)
    assert contents(lab) == before


def test_all_frames_are_edited_where_they_are_in_one_change(lab: Room) -> None:
    before, changes = contents(lab), len(lab.changes)
    handle = lab.run("modifiers/Translate", x=1.0, all=True)
    assert done(handle) == {"frames": 4}
    assert len(lab.changes) == changes + 1
    for seed, after in enumerate(lab):
        assert np.allclose(after.positions - crystal(seed).positions, [[1, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]])
    lab.undo(handle)
    assert contents(lab) == before


def test_a_modifier_that_cannot_says_why_and_changes_nothing(lab: Room) -> None:
    before = contents(lab)
    lab.selection = ()
    with pytest.raises(JobFailed, match="Select at least one atom"):
        done(lab.run("modifiers/Delete"))
    lab.selection = (2, 0)
    assert contents(lab) == before
    lab.clear()
    with pytest.raises(JobFailed, match="no frames yet"):
        done(lab.run("modifiers/Wrap"))


def test_deleting_clears_the_selection_whose_numbers_mean_others_now(lab: Room) -> None:
    done(lab.run("modifiers/Delete"))
    assert len(lab[-1]) == 2 and lab.selection == ()


def test_a_relaxation_streams_its_path_and_leaves_small_forces(lab: Room) -> None:
    lab.clear()
    cluster = Octahedron("Cu", 3, 1)
    cluster.rattle(0.1, seed=2)
    lab.append(cluster)
    lab.selection = ()
    handle = lab.run("modifiers/Relax", fmax=0.03)
    told = done(handle)
    assert told["converged"] and told["fmax"] <= 0.03 and len(lab) == 1 + told["frames"]
    end: Any = lab[-1]
    assert np.linalg.norm(end.get_forces(), axis=1).max() <= 0.03
    assert end.get_potential_energy() == pytest.approx(told["energy"]) and end.calc.name == "emt"
    progress = handle.refresh().progress
    assert progress is not None and "largest force" in progress.message


def test_dynamics_can_be_called_off_and_what_was_streamed_stays(lab: Room) -> None:
    handle = lab.run("modifiers/MolecularDynamics", steps=1_000_000, every=1, ensemble="NVE")
    while len(lab) < 20:
        threading.Event().wait(0.02)
    handle.cancel()
    with pytest.raises(JobCancelled):
        done(handle)
    length = len(lab)
    lab.undo(handle)
    assert length >= 20 and len(lab) == 4


SELECTIONS: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    ("All", {}, (0, 1, 2, 3)),
    ("None", {}, ()),
    ("Invert", {}, (1, 3)),
    ("Range", {"start": 1}, (1, 2, 3)),
    ("Random", {"count": 4}, (0, 1, 2, 3)),
    ("IdenticalSpecies", {}, (0, 1, 2, 3)),
    ("Connected", {}, (0, 1, 2, 3)),
    ("Neighbours", {"cutoff": 2.8, "keep": False}, (1, 3)),
]


@pytest.mark.parametrize(("name", "data", "expected"), SELECTIONS, ids=[name for name, *_ in SELECTIONS])
def test_a_selection_selects(lab: Room, name: str, data: dict[str, Any], expected: tuple[int, ...]) -> None:
    handle = lab.run(f"selections/{name}", data)
    assert done(handle) == {"selected": len(expected)}
    assert lab.selection == expected
    lab.undo(handle)
    assert lab.selection == (2, 0)


ANALYSIS: list[tuple[str, dict[str, Any], str]] = [
    ("Distance", {}, "Distance 2-0"),
    ("Angle", {"atoms": [0, 1, 2]}, "Angle 0-1-2"),
    ("Dihedral", {"atoms": [0, 1, 2, 3]}, "Dihedral 0-1-2-3"),
    ("Properties1D", {"property": "temperature"}, "temperature"),
    ("Properties2D", {"x": "positions.x", "y": "positions.y", "points": "atoms"}, "positions.y against positions.x"),
    ("RDF", {"cutoff": 4.0}, "RDF all-all"),
    ("MSD", {"all_origins": False}, "MSD"),
    ("Energy", {}, "Energy"),
    ("Forces", {}, "Forces"),
]


@pytest.mark.parametrize(("name", "data", "figure"), ANALYSIS, ids=[name for name, *_ in ANALYSIS])
def test_an_analysis_draws_a_figure_whose_points_lead_somewhere(
    lab: Room, name: str, data: dict[str, Any], figure: str
) -> None:
    if name in ("Energy", "Forces"):
        done(lab.run("modifiers/Relax", steps=3, fmax=1e-6))
        lab.frame_selection = range(4, len(lab))
    handle = lab.run(f"analysis/{name}", data)
    assert done(handle)["figure"] == figure
    drawn = lab.figures[figure]
    assert len(drawn.data[0].x) > 0 and drawn.layout.xaxis.title.text
    links = lab.figures.links(figure)
    if name == "Properties2D":
        assert links == [{"trace": 0, "to": "atoms", "indices": [2, 0], "frame": 1, "selection": "particles"}]
    elif name == "RDF":
        assert links == []
    else:
        frames = list(lab.frame_selection) or list(range(len(lab)))
        assert [link["indices"] for link in links] == [frames] * len(drawn.data)
    lab.undo(handle)
    assert figure not in lab.figures


def test_these_are_all_the_selections_and_analyses() -> None:
    tested = {("selections", name) for name, *_ in SELECTIONS} | {("analysis", name) for name, *_ in ANALYSIS}
    assert tested == {one for one in map(identity, BUILT_IN) if one[0] in ("selections", "analysis")}
