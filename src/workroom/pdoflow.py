"""Names of PDOFlow, for scripts that were written for it.

from workroom.pdoflow import ClusterPool, ClusterProcess, JobPosting, JobRecord, Registry, job

They name Workroom's own classes. `post_work` returns a posting and not a pair of ids, and `process_job` gets no
session of a database; docs/howto/coming_from_pdoflow.md lists all calls. Unknown keywords are refused.
"""

from __future__ import annotations

from workroom.worker.function_registry import Registry, job
from workroom.worker.pool import ClusterPool, ClusterProcess
from workroom.worker.pool.job import PoolJob as JobRecord
from workroom.worker.postings.posting import Posting as JobPosting

__all__ = ["ClusterPool", "ClusterProcess", "JobPosting", "JobRecord", "Registry", "job"]
