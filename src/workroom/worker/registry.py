"""Functions that postings call: `@job` makes one known, `Registry["name"].post_work(…)` has it called many times.

    @job(name="resize", tries=3, timeout=60)
    def resize(path, width): ...

    posting = Registry["resize"].post_work([("a.png", 100), ("b.png", 200)])

Only a name and the arguments ever reach the database. Whoever runs the calls looks the name up among the functions of
the modules it was told to import.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar
from uuid import UUID

from workroom.client.portal import background
from workroom.domain.errors import BadInput, UnknownFunction
from workroom.domain.limits import KEY_LENGTH
from workroom.domain.names import extension_name
from workroom.worker.code_version import LONGEST

if TYPE_CHECKING:
    from workroom.worker.postings.backend import BackendTarget
    from workroom.worker.postings.posting import AsyncPosting, Posting

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT_TRIES = 3

# How a call's unique key is found.
Unique = bool | Callable[..., Any] | Iterable[Any] | None


@dataclass(frozen=True, slots=True)
class PostingOptions:
    """How the jobs of a posting are to be run; what is left out is as the function says."""

    priority: int | None = None
    tries: int | None = None
    depends_on: tuple[UUID, ...] = ()
    run_at: datetime | None = None
    label: str = ""
    room: str | None = None
    unique: str | None = None  # the key of the posting
    keyed: bool = False  # whether its calls come with keys of their own


class Function(Generic[P, T]):
    """A registered function. Calling it calls it, here and now."""

    def __init__(
        self,
        name: str,
        call: Callable[P, T],
        tries: int,
        timeout: float | None,
        profile: float | None = None,
        stacks: bool = False,
        version: str | None = None,
    ) -> None:
        self.name = name
        self.call = call
        self.tries = tries
        self.timeout = timeout
        self.profile = profile  # the share of executions that is profiled; none: as the pool says
        self.stacks = stacks
        self.version = version
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
    ) -> Posting:
        """Have the function called once for each tuple of arguments, by whichever pools and workers run it.

        `args` and `kwargs` may be generators: they are read in pieces, and either all calls are written or none.
        Without `args`, `kwargs` alone says what to call. `depends_on` names postings or jobs that must complete first.
        Without a `database` or the `url` of a server, the ones that WORKROOM_DATABASE and WORKROOM_URL name, or that
        run on this machine, are meant.

        With `unique` a call is left out if a job of the function with the same key has not ended yet, whoever posted
        it: True takes the arguments for the key, a function makes it of them, an iterable has one for each call (None:
        no key). `posting.duplicates` tells how many were left out. A str is the key of the whole posting instead:
        posting with it again answers the posting that has it.
        """
        from workroom.worker.postings.backend import BackendTarget
        from workroom.worker.postings.posting import Posting

        options = PostingOptions(priority, tries, _ids(depends_on), run_at, label, room)
        where = BackendTarget.here(database, url, token)
        return Posting(background().call(self._post(args, kwargs, unique, options, where)))

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
    ) -> Posting:
        """The same without blocking the event loop; the posting's own methods have `_async` twins where they wait."""
        from workroom.worker.postings.backend import BackendTarget
        from workroom.worker.postings.posting import Posting

        options = PostingOptions(priority, tries, _ids(depends_on), run_at, label, room)
        where = BackendTarget.here(database, url, token)
        posted = background().start(self._post(args, kwargs, unique, options, where))
        return Posting(await asyncio.wrap_future(posted))

    async def _post(
        self,
        args: Iterable[Any],
        kwargs: Iterable[Any] | None,
        unique: Unique,
        options: PostingOptions,
        where: BackendTarget,
    ) -> AsyncPosting:
        from workroom.worker.postings.backend import resolve_backend
        from workroom.worker.postings.posting import AsyncPosting

        calls = Calls.from_args(args, kwargs)
        if isinstance(unique, str):
            options = replace(options, unique=unique)
        elif unique is not None and unique is not False:
            options, calls = replace(options, keyed=True), KeyedCalls.from_keys(calls, unique)
        found = await resolve_backend(where)
        now = time.monotonic()
        return AsyncPosting(found, await found.post(self, calls, options), self.name, now)

    def __repr__(self) -> str:
        return f"<function {self.name}, {self.tries} tries>"


class Calls:
    """The calls of a posting, packed one by one as they are read."""

    def __init__(self, args: Iterable[Any] | None, kwargs: Iterable[Any] | None) -> None:
        self._args = args
        self._kwargs = kwargs

    @classmethod
    def from_args(cls, args: Iterable[Any], kwargs: Iterable[Any] | None) -> Iterable[Any]:
        """Readable again if what it is made of is: a transaction that collided reads once more."""
        if isinstance(kwargs, Mapping):
            raise BadInput("kwargs is one dict for each call: [{…}, {…}], not a single dict.")
        calls = cls(None if args == () and kwargs is not None else args, kwargs)
        once = any(source is not None and iter(source) is source for source in (calls._args, kwargs))
        return iter(calls) if once else calls

    def __iter__(self) -> Iterator[Any]:
        from workroom.domain.value_codec import pack_call

        if self._kwargs is None:
            for position, args in enumerate(self._args or ()):
                yield pack_call(args, None, position)
            return
        if self._args is None:
            for position, kwargs in enumerate(self._kwargs):
                yield pack_call((), dict(kwargs), position)
            return
        try:
            for position, (args, kwargs) in enumerate(zip(self._args, self._kwargs, strict=True)):
                yield pack_call(args, dict(kwargs), position)
        except ValueError as error:
            raise BadInput(f"args and kwargs must have as many items: {error}.") from None


class KeyedCalls:
    """Calls with their unique keys."""

    def __init__(self, calls: Iterable[Any], unique: Any) -> None:
        self._calls = calls
        self._unique = unique

    @classmethod
    def from_keys(cls, calls: Iterable[Any], unique: Any) -> Iterable[Any]:
        if isinstance(unique, bytes | Mapping) or not (
            unique is True or callable(unique) or hasattr(unique, "__iter__")
        ):
            raise BadInput(
                "unique is True, a function of the arguments, an iterable with one key for each call, or a str: "
                "the key of the whole posting."
            )
        keyed = cls(calls, unique)
        keys: Any = unique if hasattr(unique, "__iter__") else ()
        once = iter(calls) is calls or iter(keys) is keys
        return iter(keyed) if once else keyed

    def __iter__(self) -> Iterator[tuple[Any, str | None]]:
        from workroom.domain.value_codec import fingerprint, unpack_call

        if self._unique is True:
            for call in self._calls:
                yield call, fingerprint(call)
        elif callable(self._unique):
            for call in self._calls:
                args, kwargs = unpack_call(call)
                yield call, _key(self._unique(*args, **kwargs))
        else:
            try:
                for call, key in zip(self._calls, self._unique, strict=True):
                    yield call, _key(key)
            except ValueError as error:
                raise BadInput(f"unique must have one key for each call: {error}.") from None


def _key(value: Any) -> str | None:
    """A key as the database keeps it: short text as it is, anything else by its fingerprint."""
    from workroom.domain.value_codec import fingerprint, pack

    if value is None or (isinstance(value, str) and 1 <= len(value) <= KEY_LENGTH and "\0" not in value):
        return value
    return fingerprint(pack(value, "The unique key"))


class _Registry:
    """The functions of this process, by name. Safe to use from any thread."""

    def __init__(self) -> None:
        self._functions: dict[str, Function[..., Any]] = {}
        self._lock = threading.Lock()

    def register(self, function: Function[..., Any]) -> None:
        """Make a function known. The same one again is fine, a module may be loaded twice; another one is not."""
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
            hint = f"Known are: {', '.join(known)}" if known else "None is known yet"
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
) -> Callable[[Callable[P, T]], Function[P, T]]:
    """Register a function under a name; without one, under its own.

    A call that raises is tried `tries` times in all; one that runs longer than `timeout` seconds is stopped by force.
    `profile` is the share of calls that run under a profiler (0.1 unless the pool says otherwise, 0: none); with
    `stacks` whole stacks are sampled instead of counting calls. `version` names the code in its profiles.
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
        function = Function(extension_name(name or call.__name__), call, tries, timeout, profile, stacks, version)
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
    where = code.co_filename if code is not None else function.call.__module__
    return f"{where}:{getattr(function.call, '__qualname__', function.name)}"


def _ids(needed: Iterable[Any]) -> tuple[UUID, ...]:
    """Postings and jobs, or their ids."""
    one = needed if isinstance(needed, UUID) or hasattr(needed, "id") else None
    return tuple(_id(each) for each in ([one] if one is not None else needed))


def _id(thing: Any) -> UUID:
    found = getattr(thing, "id", thing)
    return found if isinstance(found, UUID) else UUID(str(found))
