"""When this process must have ended: its walltime, as its user or SLURM sets it.

A worker tells the server a time somewhat before its end, and drains then, so that its last reports arrive in time.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from workroom.domain.errors import BadInput
from workroom.logs import get_logger

log = get_logger(__name__)

LONGEST_MARGIN = 30.0  # seconds between the drain and the end
_MARGIN_SHARE = 0.1  # of the time that is left at the start, if that is less
_SCONTROL_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Walltime:
    """The end of this process, by `time.monotonic`."""

    ends_at: float
    margin: float  # seconds before the end at which the worker drains

    @classmethod
    def of(cls, seconds: float) -> Walltime:
        seconds = max(0.0, seconds)
        return cls(time.monotonic() + seconds, min(LONGEST_MARGIN, _MARGIN_SHARE * seconds))

    def seconds_left(self) -> float:
        """Until the worker drains: a job must fit in here."""
        return max(0.0, self.ends_at - self.margin - time.monotonic())

    def fits(self, timeout: float | None) -> bool:
        """Whether a job that starts now ends in time. One without a time-out may start until the worker drains."""
        return (timeout or 0.0) <= self.seconds_left() and self.seconds_left() > 0

    def drain_seconds(self) -> float:
        """How long running jobs may go on when the worker drains now: a fifth of the margin is left for reports."""
        return max(0.0, self.ends_at - 0.2 * self.margin - time.monotonic())


def find_walltime(
    walltime: str | None = None, until: str | None = None, environment: Mapping[str, str] = os.environ
) -> Walltime | None:
    """The walltime from the options of a command, else from SLURM; None when there is no known end."""
    if walltime is not None and until is not None:
        raise BadInput("Give --walltime or --until, not both.")
    if walltime is not None:
        return Walltime.of(parse_duration(walltime))
    if until is not None:
        return Walltime.of(_parse_time(until, "--until").timestamp() - time.time())
    if "SLURM_JOB_ID" not in environment:
        return None
    ends_at = _slurm_end(environment)
    if ends_at is None:
        log.info("SLURM tells no end of job %s: the worker runs without a walltime", environment["SLURM_JOB_ID"])
        return None
    return Walltime.of(ends_at - time.time())


def parse_duration(text: str) -> float:
    """Seconds of `90`, `90s`, `30m`, `12h`, `2d`, or of SLURM's `HH:MM:SS` and `D-HH:MM:SS`."""
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text.strip()):
        return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}[found[2]]
    if found := re.fullmatch(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)", text.strip()):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return 86_400.0 * days + 3_600 * hours + 60 * minutes + seconds
    raise BadInput(f"{text[:40]!r} is no duration: write 90s, 30m, 12h, 2d or HH:MM:SS.")


def _parse_time(text: str, what: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        raise BadInput(f"{what} is a time like 2030-01-31T18:00, not {text[:40]!r}.") from None


def _slurm_end(environment: Mapping[str, str]) -> float | None:
    """The end of this SLURM job, in seconds of the epoch."""
    end_time = environment.get("SLURM_JOB_END_TIME", "")
    if end_time.isdigit() and int(end_time) > 0:
        return float(end_time)
    job_id = environment["SLURM_JOB_ID"]
    if not job_id.isdigit():
        return None
    try:
        shown = subprocess.run(  # noqa: S603 - the only argument from outside is a number
            ["scontrol", "--oneliner", "show", "job", job_id],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
            timeout=_SCONTROL_SECONDS,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("scontrol does not tell the end of SLURM job %s: %s", job_id, error)
        return None
    found = re.search(r"\bEndTime=(\S+)", shown)
    if found is None or found[1] in ("Unknown", "None"):
        return None
    return _parse_time(found[1], "EndTime of scontrol").timestamp()
