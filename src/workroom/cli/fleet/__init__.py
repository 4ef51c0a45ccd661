"""`workroom fleet`: starts workers while jobs wait, in SLURM or on this machine.

command      the commands `slurm` and `local`
room_server  the server as a fleet sees it: what waits in a room
"""

from workroom.cli.fleet.command import app

__all__ = ["app"]
