"""Confinement of processes that parse uploads or run built-in jobs, and protection of those that hold secrets.

    a confined process may                                     what holds it to that
    ──────────────────────                                     ─────────────────────
    open Python, its libraries, and its own folder             Landlock, else bubblewrap around the process
    use connections that its parent hands it, no sockets       seccomp, and Landlock where it knows TCP
    gain no rights, trace and signal no other process          no_new_privs, seccomp, Landlock

All of it is set by the process itself before it reads a byte of a job, and cannot be undone. It needs no root. A
reader of a file, or a library, that follows a path in its input then gets "permission denied".

    policy                what a process may open, and how strict confinement is
    confine               applies a policy to this process
    landlock              file access by Landlock, for each version of it
    seccomp               system calls by seccomp
    bubblewrap            the command that starts a process within bubblewrap
    drop_capabilities     gives up the rights of root
    memory_privacy        keeps other processes from reading the memory and environment of this one
    available_mechanisms  which mechanisms this machine has, for `workroom doctor`
    linux                 system calls without a function in Python

The package imports no other package of the project, so that each process can use it before it imports anything else.
"""
