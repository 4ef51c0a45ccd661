"""The times of workers and of upkeep, from environment variables."""

from __future__ import annotations

import pytest

from workroom.domain.errors import BadInput
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.server.settings import Settings


def test_without_variables_the_times_are_the_defaults_of_the_server() -> None:
    assert Timing.from_environment({}) == Timing() == Settings.model_validate({}).timing


def test_every_time_of_the_servers_settings_is_read() -> None:
    names = [name for name in Settings.model_fields if name.endswith("_days")]
    names += [f"{name}_seconds" for name in ("heartbeat", "lease", "sweep", "grace", "confirm")]
    values = {name: 2.0 + number for number, name in enumerate(names)}
    environment = {f"WORKROOM_{name.upper()}": f"{value:g}" for name, value in values.items()}
    assert Timing.from_environment(environment) == Settings.model_validate(values).timing


@pytest.mark.parametrize("value", ["soon", "0", "-3", "inf", "nan"])
def test_a_time_that_is_no_positive_number_is_named(value: str) -> None:
    with pytest.raises(BadInput, match="WORKROOM_LEASE_SECONDS"):
        Timing.from_environment({"WORKROOM_LEASE_SECONDS": value})


def test_the_record_of_heartbeats_is_renewed_well_within_the_gap_that_it_may_have() -> None:
    timing = Timing(lease=3.0)
    assert timing.window_interval * 4 <= timing.gap < timing.lease / 2
