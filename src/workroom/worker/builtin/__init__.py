"""The worker of the built-in extensions, as a process beside the server or on another machine.

__main__     the plan, the worker with its warm processes, and the process that `workroom serve` starts
remote_pool  `workroom pool --built-in`
"""
