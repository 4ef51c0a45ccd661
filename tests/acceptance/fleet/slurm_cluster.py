"""A real SLURM on this machine: munged, slurmctld and slurmd on spare ports, with throw-away folders."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import psutil
import pytest

_PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo")
_PATH = "/usr/sbin:/usr/bin:/bin"
NODE = "node0"
CONFIGURATION = """
ClusterName=workroom
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completed.txt
MpiDefault=none
ReturnToService=2
KillWait=5
MinJobAge=5
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PartitionName=DEFAULT Nodes={node} DefaultTime=2 MaxTime=2 DefMemPerCPU=100 State=UP
PartitionName=short Default=YES PriorityTier=1 GraceTime=60
PartitionName=urgent PriorityTier=2 PreemptMode=OFF
"""


class SlurmCluster:
    """One controller and one node. Clients find them by `environment`."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="workroom-slurm-"))
        self.folder.chmod(0o755)
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        host = socket.gethostname().partition(".")[0]
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1_024))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                host=host,
                node=NODE,
                controller_port=_free_port(),
                node_port=_free_port(),
                user=pwd.getpwuid(os.getuid()).pw_name,
                folder=self.folder,
            )
        )
        places = {"socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={self.folder}/munge.{name}" for option, name in places.items()]
        self._start("munged", "--foreground", "--force", "--num-threads=2", f"--key-file={key}", *options)
        self._until((self.folder / "munge.socket").exists, "munged")
        self._start("slurmctld", "-D", "-i", "-f", self.environment["SLURM_CONF"])
        self._start("slurmd", "-D", "-N", NODE, "-f", self.environment["SLURM_CONF"])
        self._until(lambda: "idle" in self.run("sinfo", "--noheader", "--format=%T", check=False), "slurmd")

    def run(self, program: str, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            [_program(program), *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
            env=os.environ | self.environment,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout

    def jobs(self, name: str) -> list[str]:
        """The states of the jobs of this name that SLURM has not forgotten."""
        return self.run("squeue", "--noheader", f"--name={name}", "--format=%T", "--states=all").split()

    def active(self, name: str) -> list[str]:
        return self.run("squeue", "--noheader", f"--name={name}", "--format=%i").split()

    def completed(self, name: str) -> list[dict[str, str]]:
        """What SLURM recorded about ended jobs of this name: JobState, StartTime, …"""
        file = self.folder / "completed.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        records = [{word.partition("=")[0]: word.partition("=")[2] for word in line.split()} for line in lines]
        return [one for one in records if one.get("Name") == name]

    def log(self) -> str:
        return "\n".join(file.read_text(errors="replace")[-3_000:] for file in sorted(self.folder.glob("*.log")))

    def remove(self) -> None:
        with contextlib.suppress(AssertionError, subprocess.SubprocessError):
            self.run("scancel", f"--user={os.getuid()}", check=False)
            self._until(lambda: not self.run("squeue", "--noheader", check=False).strip(), "scancel")
        steps = [one for process in self._processes for one in _children(process.pid)]
        for process in reversed(self._processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        for step in steps:
            with contextlib.suppress(psutil.NoSuchProcess):
                step.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, program: str, *arguments: str) -> None:
        output = (self.folder / f"{program}.output.log").open("wb")
        with output:
            process = subprocess.Popen(
                [_program(program), *arguments], stdout=output, stderr=output, env=os.environ | self.environment
            )
        self._processes.append(process)

    def _until(self, true: Callable[[], Any], what: str, within: float = 60.0) -> None:
        deadline = time.monotonic() + within
        while not true():
            dead = [process.args for process in self._processes if process.poll() is not None]
            assert not dead and time.monotonic() < deadline, f"{what} is not ready, ended: {dead}\n{self.log()}"
            threading.Event().wait(0.05)


def running_cluster() -> Generator[SlurmCluster]:
    """For fixtures. Skips when SLURM is not installed."""
    for program in _PROGRAMS:
        if shutil.which(program, path=_PATH) is None:
            pytest.skip(f"{program} is not installed: install slurmctld, slurmd, slurm-client and munge")
    if os.getuid() != 0:
        pytest.skip("slurmd needs root")
    cluster = SlurmCluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _program(name: str) -> str:
    found = shutil.which(name, path=_PATH)
    assert found is not None
    return found


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
