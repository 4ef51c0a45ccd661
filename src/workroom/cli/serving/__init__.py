"""The processes of `workroom serve`.

builtin_supervisor   starts and restarts the process pool for the built-in extensions
server_process       one server process: the lock of the database, uvicorn, the pool
replicas             starts and restarts several server processes on one port
replica_process      one of them
systemd_notify       tells systemd that the server is ready, alive, or stops
"""
