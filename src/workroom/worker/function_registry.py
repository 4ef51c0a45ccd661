"""The functions that postings call: `@job` registers one, `Registry["name"].post_work(…)` posts calls of it.

    @job(name="resize", tries=3, timeout=60)
    def resize(path, width): ...

    posting = Registry["resize"].post_work([("a.png", 100), ("b.png", 200)])

Only the name and the arguments are written to the database. The pool or worker that runs a call looks the name up
among the functions that its own imports have registered.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar
from uuid import UUID

from workroom.client.portal import background
from workroom.domain.errors import BadInput, UnknownFunction
from workroom.domain.jobs.resources import Resources, checked_resources
from workroom.domain.names import extension_name
from workroom.worker.code_version import LONGEST
from workroom.worker.postings.packed_calls import Calls, KeyedCalls

if TYPE_CHECKING:
    from workroom.worker.postings.backend import BackendTarget
    from workroom.worker.postings.posted_call import PostedCall
    from workroom.worker.postings.posting import AsyncPosting, Posting

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT_TRIES = 3

# How a call's unique key is found.
Unique = bool | Callable[..., Any] | Iterable[Any] | None


@dataclass(frozen=True, slots=True)
class PostingOptions:
    """Options of a posting. Where one is None, the function's own value applies."""

    priority: int | None = None
    tries: int | None = None
    depends_on: tuple[UUID, ...] = ()
    run_at: datetime | None = None
    label: str = ""
    room: str | None = None
    unique: str | None = None  # the unique key of the whole posting
    keyed: bool = False  # whether each call comes with a unique key of its own


class Function(Generic[P, T]):
    """A registered function. Calling the object runs the function in this process."""

    def __init__(
        self,
        name: str,
        call: Callable[P, T],
        tries: int,
        timeout: float | None,
        profile: float | None = None,
        stacks: bool = False,
        version: str | None = None,
        keep_result: bool = True,
        resources: Resources | None = None,
    ) -> None:
        self.name = name
        self.call = call
        self.tries = tries
        self.timeout = timeout
        self.profile = profile  # the share of executions that is profiled; None: the setting of the pool
        self.stacks = stacks
        self.version = version
        self.keep_result = keep_result
        self.resources = checked_resources(resources)
        update_wrapper(self, call)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.call(*args, **kwargs)

    def post_work(
        self,
        args: Iterable[tuple[Any, ...]] = (),
        kwargs: Iterable[Mapping[str, Any]] | None = None,
        *,
        priority: int | None = None,
        tries: int | None = None,
        depends_on: Iterable[Any] = (),
        run_at: datetime | None = None,
        unique: Unique = None,
        label: str = "",
        room: str | None = None,
        database: str | None = None,
        url: str | None = None,
        token: str | None = None,
    ) -> Posting[T]:
        """Post one call for each tuple of arguments. Pools and remote workers run them.

        `args` and `kwargs` may be generators: they are read in chunks, and either all calls are written or none.
        Without `args`, `kwargs` alone defines the calls. `depends_on` names postings or jobs that must complete first.
        A `run_at` without a time zone is local time.
        Without `database` and `url`, the ones in WORKROOM_DATABASE and WORKROOM_URL are used, else those that run on
        this machine.

        With `unique` a call is left out while an unfinished job of the function has the same key: True uses the
        arguments as the key, a function computes it from them, an iterable holds one key for each call (None: no key).
        `posting.duplicates` is how many were left out. A str is the key of the whole posting instead: posting with it
        again returns the posting that has it.
        """
        from workroom.worker.postings.backend import BackendTarget
        from workroom.worker.postings.posting import Posting

        options = PostingOptions(priority, tries, _ids(depends_on), run_at and run_at.astimezone(), label, room)
        target = BackendTarget.here(database, url, token)
        return Posting(background().call(self._post(args, kwargs, unique, options, target)))

    def map(
        self,
        *arguments: Iterable[Any],
        priority: int | None = None,
        tries: int | None = None,
        depends_on: Iterable[Any] = (),
        run_at: datetime | None = None,
        unique: Unique = None,
        label: str = "",
        room: str | None = None,
        database: str | None = None,
        url: str | None = None,
        token: str | None = None,
    ) -> Posting[T]:
        """Post one call for each item: `square.map(range(1000))`; of several iterables each gives one argument.

        As with `map`, the shortest iterable ends it. The options are those of `post_work`. Iterating over the posting
        waits for the results.
        """
        if not arguments:
            raise BadInput("map takes an iterable for each argument of the function: square.map(range(1000)).")
        return self.post_work(
            _Mapped.of(arguments),
            priority=priority,
            tries=tries,
            depends_on=depends_on,
            run_at=run_at,
            unique=unique,
            label=label,
            room=room,
            database=database,
            url=url,
            token=token,
        )

    def starmap(
        self,
        arguments: Iterable[tuple[Any, ...]],
        *,
        priority: int | None = None,
        tries: int | None = None,
        depends_on: Iterable[Any] = (),
        run_at: datetime | None = None,
        unique: Unique = None,
        label: str = "",
        room: str | None = None,
        database: str | None = None,
        url: str | None = None,
        token: str | None = None,
    ) -> Posting[T]:
        """Post one call for each tuple of arguments: `resize.starmap([("a.png", 100), ("b.png", 200)])`.

        The options are those of `post_work`. Iterating over the posting waits for the results.
        """
        return self.post_work(
            arguments,
            priority=priority,
            tries=tries,
            depends_on=depends_on,
            run_at=run_at,
            unique=unique,
            label=label,
            room=room,
            database=database,
            url=url,
            token=token,
        )

    def submit(self, *args: P.args, **kwargs: P.kwargs) -> PostedCall[T]:
        """Post one call with these arguments: `resize.submit("a.png", width=100).result()`.

        All arguments are those of the function. For a posting with options use `post_work`.
        """
        from workroom.worker.postings.posted_call import PostedCall

        return PostedCall(self.post_work([args], [kwargs]))

    async def post_work_async(
        self,
        args: Iterable[tuple[Any, ...]] = (),
        kwargs: Iterable[Mapping[str, Any]] | None = None,
        *,
        priority: int | None = None,
        tries: int | None = None,
        depends_on: Iterable[Any] = (),
        run_at: datetime | None = None,
        unique: Unique = None,
        label: str = "",
        room: str | None = None,
        database: str | None = None,
        url: str | None = None,
        token: str | None = None,
    ) -> Posting[T]:
        """`post_work` without blocking the event loop. The posting's methods that wait have `_async` versions."""
        from workroom.worker.postings.backend import BackendTarget
        from workroom.worker.postings.posting import Posting

        options = PostingOptions(priority, tries, _ids(depends_on), run_at and run_at.astimezone(), label, room)
        target = BackendTarget.here(database, url, token)
        posted = background().start(self._post(args, kwargs, unique, options, target))
        return Posting(await asyncio.wrap_future(posted))

    async def _post(
        self,
        args: Iterable[Any],
        kwargs: Iterable[Any] | None,
        unique: Unique,
        options: PostingOptions,
        target: BackendTarget,
    ) -> AsyncPosting:
        from workroom.worker.postings.backend import resolve_backend
        from workroom.worker.postings.posting import AsyncPosting

        calls = Calls.from_args(args, kwargs)
        if isinstance(unique, str):
            options = replace(options, unique=unique)
        elif unique is not None and unique is not False:
            options, calls = replace(options, keyed=True), KeyedCalls.from_keys(calls, unique)
        backend = await resolve_backend(target)
        now = time.monotonic()
        return AsyncPosting(backend, await backend.post(self, calls, options), self.name, now)

    def __reduce__(self) -> str:
        """Pickled by its name, as functions are: another process imports the module that defines it."""
        return str(getattr(self.call, "__qualname__", self.name))

    def __repr__(self) -> str:
        return f"<function {self.name}, {self.tries} tries>"


class _Mapped:
    """The arguments of `map`: iterable again if all its iterables are."""

    def __init__(self, arguments: tuple[Iterable[Any], ...]) -> None:
        self._arguments = arguments

    @classmethod
    def of(cls, arguments: tuple[Iterable[Any], ...]) -> Iterable[tuple[Any, ...]]:
        mapped = cls(arguments)
        return iter(mapped) if any(iter(source) is source for source in arguments) else mapped

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return zip(*self._arguments, strict=False)


class _Registry:
    """The functions of this process, by name. Safe to use from any thread."""

    def __init__(self) -> None:
        self._functions: dict[str, Function[..., Any]] = {}
        self._lock = threading.Lock()

    def register(self, function: Function[..., Any]) -> None:
        """Add a function. The same one may be added again, since a module may be loaded twice; another one may not."""
        with self._lock:
            before = self._functions.get(function.name)
            if before is not None and _defined_at(before) != _defined_at(function):
                raise BadInput(
                    f"{function.name!r} is already {_defined_at(before)}: "
                    f"give {_defined_at(function)} another name, @job(name=…)."
                )
            self._functions[function.name] = function

    def __getitem__(self, name: str) -> Function[..., Any]:
        with self._lock:
            found = self._functions.get(name)
        if found is None:
            known = list(self)
            hint = f"Registered are: {', '.join(known)}" if known else "No function is registered yet"
            raise UnknownFunction(
                f"No function {name!r} is registered here. {hint}. Import the module that defines it."
            )
        return found

    def __contains__(self, name: object) -> bool:
        with self._lock:
            return name in self._functions

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(sorted(self._functions))

    def __len__(self) -> int:
        with self._lock:
            return len(self._functions)

    def functions(self) -> list[Function[..., Any]]:
        with self._lock:
            return [self._functions[name] for name in sorted(self._functions)]

    def __repr__(self) -> str:
        return f"<Registry of {', '.join(self) or 'nothing'}>"


Registry = _Registry()


def job(
    name: str | None = None,
    *,
    tries: int = DEFAULT_TRIES,
    timeout: float | None = None,
    profile: float | None = None,
    stacks: bool = False,
    version: str | None = None,
    keep_result: bool = True,
    resources: Resources | None = None,
) -> Callable[[Callable[P, T]], Function[P, T]]:
    """Register a function under this name, or under its own.

    A call that raises is tried `tries` times in all. One that runs longer than `timeout` seconds is ended by force.
    `profile` is the share of calls that run under a profiler (the pool's setting by default, 0: none). With `stacks`
    the profiler samples whole stacks instead of counting calls. `version` is the version of the code in its profiles.
    With `keep_result=False` what the function returns is not stored, and may be anything; the result is None.
    `resources` is what a call needs of its worker, like `{"gpus": 1, "memory_gb": 16}`.
    """
    if callable(name):
        raise TypeError("Write @job() or @job(name=…), with parentheses.")
    if not 1 <= tries <= 100:
        raise BadInput(f"tries must be 1 to 100, not {tries}.")
    if timeout is not None and not 0 < timeout < float("inf"):
        raise BadInput(f"timeout must be a number of seconds above 0, not {timeout}.")
    if profile is not None:
        check_share(profile)
    if version is not None and not 1 <= len(version) <= LONGEST:
        raise BadInput(f"version must have 1 to {LONGEST} characters.")

    def register(call: Callable[P, T]) -> Function[P, T]:
        known_as = extension_name(name or call.__name__)
        function = Function(known_as, call, tries, timeout, profile, stacks, version, keep_result, resources)
        Registry.register(function)
        return function

    return register


def check_share(share: float) -> float:
    if not 0 <= share <= 1:
        raise BadInput(f"profile is the share of calls that are profiled, 0 to 1, not {share}.")
    return share


def _defined_at(function: Function[..., Any]) -> str:
    """Where a function is defined, by file: a script is `__main__` here and `__mp_main__` in its child processes."""
    code = getattr(function.call, "__code__", None)
    where = str(Path(code.co_filename).resolve()) if code is not None else function.call.__module__
    return f"{where}:{getattr(function.call, '__qualname__', function.name)}"


def _ids(dependencies: Iterable[Any]) -> tuple[UUID, ...]:
    """The ids of postings and jobs, which may be given as objects or ids, or as a single one."""
    is_single = isinstance(dependencies, UUID) or hasattr(dependencies, "id")
    return tuple(_id(each) for each in ([dependencies] if is_single else dependencies))


def _id(dependency: Any) -> UUID:
    found = getattr(dependency, "id", dependency)
    if isinstance(found, UUID):
        return found
    try:
        return UUID(str(found))
    except ValueError:
        raise BadInput(f"{found!r} is not a posting or job, nor the id of one: an id looks like 0192f0c1-….") from None
