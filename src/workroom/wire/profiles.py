"""Messages about profiles."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from workroom.wire.base import Answer


class ProfiledFunction(Answer):
    """A posted function, and what its profiles are the sum of."""

    function: str
    profiles: int = Field(description="How many are stored; one may be the sum of many executions.")
    executions: int
    calls: int = Field(description="Calls made in them, of whatever function; 0 where stacks were sampled.")
    total_ms: float
    code_versions: list[str]
    machines: list[str]
    first_at: datetime
    last_at: datetime


class ProfiledFunctions(Answer):
    items: list[ProfiledFunction]


class Place(Answer):
    """A Python function, by where it is defined."""

    file: str = Field(description="From the folder that it is imported from; ~ for functions written in C.")
    line: int
    name: str


class FunctionCost(Place):
    calls: int
    primitive_calls: int = Field(description="Without calls from within itself.")
    own_ms: float = Field(description="Without the functions it called.")
    total_ms: float
    own_share: float = Field(description="Its own time as a share of the whole.")


class Totals(Answer):
    profiles: int
    executions: int
    calls: int
    total_ms: float


class Top(Totals):
    """Where the time of a posted function goes."""

    function: str
    items: list[FunctionCost]


class PairCost(Answer):
    caller: Place
    callee: Place
    calls: int
    own_ms: float = Field(description="In the callee when called from there, without the functions it called.")
    total_ms: float


class Callers(Totals):
    """Who calls whom, and what that costs."""

    function: str
    items: list[PairCost]


class CostChange(Answer):
    """What a function costs for each execution of the posted one, on two sides."""

    file: str
    name: str
    calls_a: float
    calls_b: float
    own_ms_a: float
    own_ms_b: float
    own_ms_change: float
    total_ms_a: float
    total_ms_b: float


class Diff(Answer):
    function: str
    a: Totals
    b: Totals
    items: list[CostChange]
