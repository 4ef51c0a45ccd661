"""Responses about profiles of posted functions."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from workroom.wire.base import Answer


class ProfiledFunction(Answer):
    """A posted function, and the totals of its profiles."""

    function: str
    profiles: int = Field(description="Stored profiles; one may cover many executions.")
    executions: int
    calls: int = Field(description="Calls of all functions; 0 for sampled stacks.")
    total_ms: float
    code_versions: list[str]
    machines: list[str]
    first_at: datetime
    last_at: datetime


class ProfiledFunctions(Answer):
    items: list[ProfiledFunction]


class Place(Answer):
    """A Python function, by where it is defined."""

    file: str = Field(description="Relative to the import folder; ~ for functions written in C.")
    line: int
    name: str


class FunctionCost(Place):
    calls: int
    primitive_calls: int = Field(description="Without recursive calls.")
    own_ms: float = Field(description="Without called functions.")
    total_ms: float
    own_share: float = Field(description="Its own time divided by the total.")


class Totals(Answer):
    profiles: int
    executions: int
    calls: int
    total_ms: float


class Top(Totals):
    """The most expensive functions below a posted function."""

    function: str
    items: list[FunctionCost]


class PairCost(Answer):
    caller: Place
    callee: Place
    calls: int
    own_ms: float = Field(description="In the callee, without functions that it calls.")
    total_ms: float


class Callers(Totals):
    """The cost of calls, by caller and callee."""

    function: str
    items: list[PairCost]


class CostChange(Answer):
    """The cost of a function per execution, in two sets of profiles."""

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
