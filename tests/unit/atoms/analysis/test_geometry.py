"""Distances and angles of known geometries."""

from __future__ import annotations

import pytest
from tests.structures import Atoms, bulk, molecule

from workroom.atoms.analysis.geometry import Angle, Dihedral, Distance
from workroom.domain.errors import BadInput


def test_the_angle_and_the_bonds_of_water() -> None:
    water = molecule("H2O")
    angle = Angle()
    assert angle.measured(angle.groups((1, 0, 2)), [water])["1-0-2"] == pytest.approx([104.0], abs=0.1)
    distance = Distance()
    lengths = distance.measured(distance.groups((0, 1, 2)), [water])
    assert list(lengths) == ["0-1", "0-2", "1-2"]
    assert lengths["0-1"] == pytest.approx([0.969], abs=1e-3)


@pytest.mark.parametrize("turn", [-179.0, -60.0, 0.0, 60.0, 90.0, 180.0])
def test_a_dihedral_of_known_turn(turn: float) -> None:
    chain = Atoms("H4", [[1, 0, 0], [0, 0, 0], [0, 0, 1], [1, 0, 1]])
    chain.set_dihedral(0, 1, 2, 3, turn)
    one = Dihedral()
    (measured,) = one.measured(one.groups((0, 1, 2, 3)), [chain])["0-1-2-3"]
    assert measured == pytest.approx(turn, abs=1e-6)


def test_ethane_is_staggered() -> None:
    ethane = molecule("C2H6")
    one = Dihedral()
    angles = [one.measure(ethane, (2, 0, 1, other)) for other in (5, 6, 7)]
    assert sorted(round(abs(angle)) for angle in angles) == [60, 60, 180]


def test_the_nearest_image_counts_unless_one_says_otherwise() -> None:
    copper = bulk("Cu", "fcc", 3.6, cubic=True) * (4, 1, 1)
    ends = (0, 12)
    assert Distance().measure(copper, ends) == pytest.approx(3.6)
    assert Distance(minimum_image=False).measure(copper, ends) == pytest.approx(10.8)


def test_points_link_to_their_frames_and_missing_atoms_leave_gaps() -> None:
    one = Distance()
    series = one.measured(one.groups((0, 2)), [molecule("H2O"), molecule("H2"), molecule("H2O")])
    drawing = one.drawn([4, 7, 9], series).as_json()
    assert drawing["data"][0]["y"][1] is None and drawing["data"][0]["x"] == [4, 7, 9]
    assert drawing["links"] == [{"trace": 0, "to": "frames", "indices": [4, 7, 9]}]


@pytest.mark.parametrize(
    ("one", "atoms"), [(Distance(), (1,)), (Distance(), (1, 1)), (Angle(), (0, 1)), (Dihedral(), (0, 1, 2))]
)
def test_a_wrong_number_of_atoms_is_refused(one: Distance | Angle | Dihedral, atoms: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match=r"Select .* different atoms"):
        one.groups(atoms)


def test_atoms_that_no_frame_has_are_refused() -> None:
    with pytest.raises(BadInput, match="No frame has all of these atoms"):
        Distance().measured([(0, 99)], [molecule("H2O")])
