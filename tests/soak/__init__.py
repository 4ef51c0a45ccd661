"""`make soak`: a server, PostgreSQL, workers and a pool under load and random faults, and a check of what is left.

__main__        the campaign: load and chaos for some minutes, then healing, then the checker
world           the processes: PostgreSQL, server, remote workers, pool
worker_program  a remote worker that logs every execution
pool_program    a pool whose processes log every execution
load            clients: submit, post, cancel, retry, lock and write; and the ledger of what was acknowledged
deaf_worker     a connected worker that ignores some of its assignments
chaos           kills, stops and terminates the processes at random
checker         compares the ledger, the log of executions and the database
"""
