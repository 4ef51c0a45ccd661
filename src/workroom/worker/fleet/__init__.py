"""Fleets: start workers while jobs wait, and let them end when none do.

server ── what waits ──► Fleet ── start, list, stop ──► FleetBackend: SlurmBackend (sbatch), LocalBackend (processes)
   ▲                                                          │
   └───────────────── workers, which take jobs themselves ◄───┘

fleet         `Fleet`: looks, starts what is missing, backs off, and ends
group         which starts for a set of resources were in vain, and the pause after them
plan          which workers are missing, as pure functions
register_offers  keeps the extensions of a fleet listed while no worker runs
backend       `FleetBackend`: what a place that runs workers must be able to do
slurm         workers as jobs of SLURM
local         workers as processes of this machine
fleet_lock    one fleet of a name at a time on a machine
"""
