"""Names of PDOFlow: a script that was written for it runs with a changed import line.

from workroom.pdoflow import ClusterPool, ClusterProcess, JobPosting, JobRecord, Registry, job
"""

from __future__ import annotations

from workroom.worker.function_registry import Registry, job
from workroom.worker.pool import ClusterPool, ClusterProcess
from workroom.worker.pool.job import PoolJob as JobRecord
from workroom.worker.postings.posting import Posting as JobPosting

__all__ = ["ClusterPool", "ClusterProcess", "JobPosting", "JobRecord", "Registry", "job"]
