"""For scripts written for PDOFlow: change the import line, and they run.

from workroom.pdoflow import ClusterPool, ClusterProcess, JobPosting, JobRecord, Registry, job
"""

from __future__ import annotations

from workroom.worker.pool import ClusterPool, ClusterProcess
from workroom.worker.pool.job import PoolJob as JobRecord
from workroom.worker.postings.posting import Posting as JobPosting
from workroom.worker.registry import Registry, job

__all__ = ["ClusterPool", "ClusterProcess", "JobPosting", "JobRecord", "Registry", "job"]
