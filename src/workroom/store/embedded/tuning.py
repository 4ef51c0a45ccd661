"""Settings of PostgreSQL for this machine. Durability stays: fsync and synchronous_commit are on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

MB = 1024 * 1024


@dataclass(frozen=True)
class Machine:
    """What the server may use."""

    cores: int
    memory: int  # bytes

    @classmethod
    def here(cls) -> Machine:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return cls(cores, min(memory, _container_limit() or memory))


def settings_for(machine: Machine, *, lz4: bool) -> dict[str, str]:
    memory, cores = machine.memory // MB, machine.cores
    return {
        "max_connections": "300",
        "shared_buffers": _mb(_between(128, memory // 8, 2048)),
        "effective_cache_size": _mb(max(256, memory // 2)),
        "work_mem": _mb(_between(4, memory // 512, 64)),
        "maintenance_work_mem": _mb(_between(64, memory // 32, 512)),
        # One server without replicas writes the least log.
        "wal_level": "minimal",
        "max_wal_senders": "0",
        "wal_compression": "lz4" if lz4 else "on",
        "min_wal_size": "512MB",
        "max_wal_size": "4GB",
        "checkpoint_timeout": "15min",
        "checkpoint_completion_target": "0.9",
        "fsync": "on",
        "synchronous_commit": "on",
        "random_page_cost": "1.1",
        "jit": "off",
        # Rows of a queue are short-lived: vacuum often and without delay, or the index of the claim grows.
        "autovacuum": "on",
        "autovacuum_naptime": "5s",
        "autovacuum_max_workers": str(_between(2, cores, 8)),
        "autovacuum_vacuum_cost_delay": "0",
        "autovacuum_vacuum_cost_limit": "10000",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "lc_messages": "C",
        # Errors only, and tersely: details would carry the rows of users into the log.
        "log_min_messages": "error",
        "log_error_verbosity": "terse",
        "log_checkpoints": "off",
        "log_autovacuum_min_duration": "-1",
        "log_line_prefix": "%m [%p] ",
        # A long recovery logs its progress, which the start waits for.
        "log_startup_progress_interval": "5s",
    }


def _container_limit() -> int | None:
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            return int(Path(file).read_text())
        except (OSError, ValueError):  # not there, or "max"
            continue
    return None


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))


def _mb(amount: int) -> str:
    return f"{amount}MB"
