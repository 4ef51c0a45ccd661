"""For scripts written for PDOFlow: change the import line, and they run.

from workroom.pdoflow import ClusterPool, ClusterProcess, JobPosting, JobRecord, Registry, job
"""

from __future__ import annotations

from workroom.worker.functions import Registry, job
from workroom.worker.pool import ClusterPool, ClusterProcess
from workroom.worker.pool.task import Task as JobRecord
from workroom.worker.posting import Posting as JobPosting

__all__ = ["ClusterPool", "ClusterProcess", "JobPosting", "JobRecord", "Registry", "job"]
