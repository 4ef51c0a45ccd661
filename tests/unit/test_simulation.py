"""The simulation agrees with what queueing theory knows exactly, and with the page that shows its results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.simulation import HEAD, SCENARIOS, Costs, System, capacity, costs_of, simulate, table_row

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "scale.md"

FREE = Costs(server=0.0, database=0.0, commit=0.0, network=0.0)


def test_one_processor_at_half_load_doubles_the_time() -> None:
    """A job visits the server twice for 1 ms. At a load of one half each visit takes 2 ms, with its wait."""
    costs = Costs(server=0.002, database=0.0, commit=0.0, network=0.0)
    seen = simulate(System(servers=1, workers=1_000), costs, 40_000, per_second=250.0)
    assert seen.server_load == pytest.approx(0.5, rel=0.05)
    assert seen.mean == pytest.approx(2 * 0.002, rel=0.05)
    assert seen.p50 < seen.mean < seen.p99


def test_the_busiest_part_bounds_the_rate() -> None:
    costs = Costs(server=0.0005, database=0.0004, commit=0.0, network=0.0)
    one = simulate(System(servers=1, database_cores=4, workers=100), costs, 5_000)
    four = simulate(System(servers=4, database_cores=4, workers=100), costs, 5_000)
    bound = simulate(System(servers=100, database_cores=1, workers=100), costs, 5_000)
    assert one.rate == pytest.approx(2_000, rel=0.05)
    assert four.rate == pytest.approx(8_000, rel=0.1)
    assert bound.rate == pytest.approx(2_500, rel=0.05)


def test_slots_bound_the_rate_of_long_jobs() -> None:
    seen = simulate(System(workers=10, slots=2, run=1.0), FREE, 4_000, in_flight=50)
    assert seen.rate == pytest.approx(20.0, rel=0.05)
    assert seen.server_load == 0.0


def test_everything_on_one_machine_shares_its_cores() -> None:
    costs = Costs(server=0.0005, database=0.0005, worker=0.0005, client=0.0005, commit=0.0, network=0.0)
    seen = simulate(System(workers=2, slots=32, shared_cores=2), costs, 5_000)
    assert seen.rate == pytest.approx(1_000, rel=0.05)


def test_heartbeats_take_their_share() -> None:
    quiet = Costs(server=0.0005, database=0.0001, commit=0.0, network=0.0)
    beating = Costs(
        server=0.0005, database=0.0001, commit=0.0, network=0.0, heartbeat_server=0.0005, heartbeat_database=0.0001
    )
    many = System(servers=1, workers=1_000, slots=1, heartbeat=1.0)  # a thousand heartbeats a second are half a core
    assert capacity(many, quiet) == pytest.approx(2_000, rel=0.1)
    assert capacity(many, beating) == pytest.approx(1_000, rel=0.15)


def test_the_page_shows_what_the_simulation_says() -> None:
    """All rows come from one run of the command on the page; the first is simulated again."""
    page = PAGE.read_text()
    (command,) = re.findall(r"python -m bench\.simulation ([\d. ]+?)\s*#", page)
    assert "\n".join(HEAD) in page
    assert table_row(SCENARIOS[0], costs_of(command.split())) in page
    assert page.count(" jobs/s | ") == len(SCENARIOS)
