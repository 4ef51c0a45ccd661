"""What has to be done again and again, by one process at a time.

    Rescuer     finds lost workers and deals with what they held
    Scheduler   lets jobs join the queue when their time has come
    Pruner      deletes what is old enough to go
    Locksmith   removes locks whose holders are gone

A `Crew` runs the four while it leads; every server and every pool brings a crew, and an advisory lock in the database
decides which one leads. Nothing is lost when the leader dies: the next one finds the same tables.
"""

from workroom.upkeep.maintainer import Maintainer

__all__ = ["Maintainer"]
