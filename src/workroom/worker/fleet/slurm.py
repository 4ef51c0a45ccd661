"""Workers as jobs of SLURM: `sbatch` starts them, `squeue` lists them, `scancel` ends them.

The name of the jobs is the name of the fleet, and their comment names the resources. So a fleet that was restarted
finds its jobs again. Resources reach the worker through the environment and never through a shell.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workroom.domain.errors import BadInput
from workroom.domain.jobs.resources import Resources, parsed_resources, resource_words
from workroom.worker.fleet.backend import BackendError, StartedWorker
from workroom.worker.walltime import parse_duration

_COMMAND_SECONDS = 60.0
_WAITING = ("PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT")
_ENDING = ("COMPLETING", "STAGE_OUT")
_COMMENT = "workroom offers"
# The options of sbatch for resources, and how an amount is written.
_OPTIONS: dict[str, Callable[[float], str]] = {
    "cpus": lambda amount: f"--cpus-per-task={math.ceil(amount)}",
    "gpus": lambda amount: f"--gpus={math.ceil(amount)}",
    "memory_gb": lambda amount: f"--mem={math.ceil(amount * 1024)}M",
}


class SlurmBackend:
    """The jobs of one fleet and one user."""

    def __init__(
        self,
        template: Path,
        name: str,
        *,
        idle_exit: float,
        offers: Resources,
        environment: Mapping[str, str],
        options: Sequence[str] = (),
    ) -> None:
        if not template.is_file():
            raise BadInput(f"There is no script {template}: --template names the batch script of a worker.")
        for program in ("sbatch", "squeue", "scancel"):
            if shutil.which(program) is None:
                raise BadInput(f"{program} is not installed here: run the fleet where jobs of SLURM are submitted.")
        self._template = template.resolve()
        self._name = name
        self._idle_exit = idle_exit
        self._offers = offers  # of each worker, in addition to what its jobs ask for
        self._environment = environment
        self._options = tuple(options)
        self._stopped: set[str] = set()

    def start(self, resources: Resources, *, stays: bool) -> str:
        unknown = sorted(set(resources) - set(_OPTIONS) - set(self._offers))
        if unknown:
            raise BackendError(
                f"sbatch gets {', '.join(_OPTIONS)}, and no {', '.join(unknown)}: "
                f"if the workers of the template have it, say so with --offer {unknown[0]}=AMOUNT."
            )
        words = resource_words({**self._offers, **resources})
        asked = [option(resources[name]) for name, option in _OPTIONS.items() if name in resources]
        answer = self._run(
            "sbatch",
            "--parsable",
            f"--job-name={self._name}",
            f"--comment={_COMMENT} {' '.join(words)}".rstrip(),
            "--export=ALL",
            *self._options,
            *asked,
            str(self._template),
            WORKROOM_OFFER=" ".join(words),
            WORKROOM_FLEET_IDLE_EXIT="" if stays else str(self._idle_exit),
        )
        job = answer.strip().partition(";")[0]
        if not job.isdigit():
            raise BackendError(f"sbatch answered {answer.strip()[:200]!r} and no job id.")
        return job

    def workers(self) -> list[StartedWorker]:
        listed = self._run(
            "squeue",
            "--noheader",
            f"--name={self._name}",
            f"--user={os.getuid()}",
            "--states=PENDING,CONFIGURING,RUNNING,SUSPENDED,STOPPED,COMPLETING",
            "--format=%i|%T|%l|%k",
        )
        return [self._worker(*line.split("|", 3)) for line in listed.splitlines() if line.count("|") >= 3]

    def stop(self, worker: StartedWorker) -> None:
        if worker.id in self._stopped:
            return  # a second signal would end it at once
        if worker.is_waiting:
            self._run("scancel", worker.id)
        else:
            # Only the batch shell, which the worker has replaced: it drains, and its jobs go on.
            self._run("scancel", "--batch", "--signal=TERM", worker.id)
        self._stopped.add(worker.id)

    def told(self, worker: str) -> str:
        try:
            shown = self._run("scontrol", "--oneliner", "show", "job", worker)
        except BackendError:
            return f"job {worker} of SLURM, which it has forgotten"
        file = re.search(r"\bStdOut=(.*?)(?= \w+=|$)", shown)
        return f"job {worker} of SLURM" + (f", whose log is {file[1].strip()}" if file else "")

    def is_same(self, worker: StartedWorker, info: dict[str, Any]) -> bool:
        return info.get("slurmJob") == worker.id

    def _worker(self, job: str, state: str, limit: str, comment: str) -> StartedWorker:
        words = comment.removeprefix(_COMMENT).split() if comment.startswith(_COMMENT) else []
        return StartedWorker(
            job,
            parsed_resources(words),
            is_waiting=state in _WAITING,
            is_ending=state in _ENDING or job in self._stopped,
            time_limit=None if limit in ("UNLIMITED", "NOT_SET", "INVALID") else _seconds(limit),
        )

    def _run(self, program: str, *arguments: str, **environment: str) -> str:
        try:
            done = subprocess.run(  # noqa: S603 - no shell: each argument is one word of the program
                [program, *arguments],
                capture_output=True,
                text=True,
                check=False,
                timeout=_COMMAND_SECONDS,
                env={**os.environ, **self._environment, **environment},
            )
        except subprocess.TimeoutExpired:
            raise BackendError(f"{program} did not answer within {_COMMAND_SECONDS:g} s.") from None
        except OSError as error:
            raise BackendError(f"{program} cannot be run: {error}.") from None
        if done.returncode != 0:
            raise BackendError(f"{program} failed: {_reason(done.stderr or done.stdout)}")
        return done.stdout


def _seconds(limit: str) -> float | None:
    """SLURM writes a limit as MM:SS, HH:MM:SS or D-HH:MM:SS."""
    try:
        return parse_duration(limit)
    except BadInput:
        return None


def _reason(text: str) -> str:
    return " ".join(text.split())[:300] or "it gave no reason."
