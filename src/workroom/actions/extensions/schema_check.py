"""Judges a schema when it is registered: is it a JSON schema, and does a validation with it always end?

References may only point inside the schema, so that the server fetches nothing. A schema is also refused when a
reference points to nothing, when references lead back to themselves on the same value, and when they apply more
subschemas to one value than a validation can check. Each error names the place in the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import unquote

from workroom.actions.extensions.schema_validator import Budget, Schema, compiled, faults_of_schema
from workroom.domain.errors import BadInput

_DEEPEST = 100
_LONGEST_CHAIN = 60  # subschemas within each other that apply to the same value
_MOST_APPLIED = 10_000  # subschemas that apply to the same value

_REFERENCES = ("$ref", "$dynamicRef")
# Where a schema holds subschemas: those that apply to the same value, and those that apply to a part of it.
_SAME_ONE = ("not", "if", "then", "else")
_SAME_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_MAPS = ("dependentSchemas",)
_PART_ONE = (
    "items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
    "contentSchema",
)  # fmt: skip
_PART_LISTS = ("prefixItems",)
_PART_MAPS = ("properties", "patternProperties", "$defs", "definitions")


def judge_schema(name: str, schema: Schema, budget: Budget) -> None:
    """Raise BadInput for a schema that cannot be used. Raises OverBudget."""
    _Judge(name, schema, budget).judge()


class _Judge:
    def __init__(self, name: str, schema: Schema, budget: Budget) -> None:
        self._name = name
        self._root = schema
        self._budget = budget
        self._anchors: dict[str, Any] = {}
        self._schemas: dict[int, Schema] = {}  # each subschema, by identity
        self._places: dict[int, str] = {}  # where each of them is
        self._targets: dict[int, list[Any]] = {}  # of the references in each subschema

    def judge(self) -> None:
        found = self._visit(self._root, "#", 0)
        self._check_form(self._root, "#")
        # A reference may point to a place that holds no subschema by itself, such as an example.
        while found:
            holder, key = found.pop()
            target, place = self._resolve(holder, key)
            if not isinstance(target, bool) and id(target) not in self._places:
                found += self._visit(target, place, 0)
                self._check_form(target, place)
            self._targets.setdefault(id(holder), []).append(target)
        self._check_ends()

    def _refuse(self, place: str, why: str) -> BadInput:
        return BadInput(f"The schema of {self._name} cannot be used: {place} {why}")

    def _visit(self, schema: Any, place: str, depth: int) -> list[tuple[Schema, str]]:
        """Note the places of a schema and its subschemas, and return their references."""
        self._budget.spend(1)
        if isinstance(schema, bool):
            return []
        if not isinstance(schema, dict):
            raise self._refuse(place, "is no schema: it is neither an object nor true or false.")
        if depth > _DEEPEST:
            raise self._refuse(place[:200], f"is nested more than {_DEEPEST} levels deep.")
        schema = cast(Schema, schema)
        self._schemas[id(schema)] = schema
        self._places[id(schema)] = place
        found = self._check_keywords(schema, place)
        for inner, key, _ in _subschemas(schema):
            found += self._visit(inner, f"{place}/{key}", depth + 1)
        return found

    def _check_keywords(self, schema: Schema, place: str) -> list[tuple[Schema, str]]:
        references = [(schema, key) for key in _REFERENCES if key in schema]
        for _, key in references:
            if not isinstance(schema[key], str) or not schema[key].startswith("#"):
                raise self._refuse(
                    f"{place}/{key}",
                    f"is {schema[key]!r:.100}. Only references inside the schema (#…) are allowed.",
                )
        if schema is not self._root:
            for key in ("$id", "$schema"):
                if key in schema:
                    raise self._refuse(f"{place}/{key}", "is only allowed at the top of the schema. Leave it out.")
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(key), str):
                self._anchors.setdefault(schema[key], schema)
        if isinstance(schema.get("pattern"), str):
            self._check_pattern(schema["pattern"], f"{place}/pattern")
        if isinstance(schema.get("patternProperties"), dict):
            for pattern in schema["patternProperties"]:
                self._check_pattern(pattern, f"{place}/patternProperties")
        return references

    def _check_pattern(self, pattern: str, place: str) -> None:
        try:
            compiled(pattern)
        except BadInput as error:
            raise self._refuse(f"{place}:", error.message) from None

    def _check_form(self, schema: Any, place: str) -> None:
        faults = faults_of_schema(schema, self._budget)
        if faults:
            where = place + faults[0]["path"].removeprefix("data")
            raise self._refuse(where, f"is no JSON schema: {faults[0]['message'][:300]}")

    def _resolve(self, schema: Schema, key: str) -> tuple[Any, str]:
        """The target of a reference, and its place."""
        reference = schema[key]
        fragment = unquote(reference[1:])
        target: Any = self._root
        if fragment and not fragment.startswith("/"):
            target = self._anchors.get(fragment)
        else:
            for part in fragment.split("/")[1:]:
                target = _step(target, part.replace("~1", "/").replace("~0", "~"))
        if target is None:
            raise self._refuse(
                f"{self._places[id(schema)]}/{key}", f"refers to {reference!r:.100}, which the schema does not have."
            )
        return target, reference[:200]

    def _check_ends(self) -> None:
        """Check that the subschemas that apply to one value neither repeat without end nor are too many."""
        applied: dict[int, int] = {}  # subschemas applied to the same value by a subschema and those within it
        chain: dict[int, int] = {}  # how many of them are within each other
        for start in self._places:
            if start in applied:
                continue
            path: list[tuple[int, list[int]]] = [(start, self._applied_with(start))]
            on_path = {start}
            while path:
                self._budget.spend(1)
                current, waiting = path[-1]
                if waiting:
                    following = waiting.pop()
                    if following in on_path:
                        raise self._refuse(self._places[following], "refers to itself without end on the same value.")
                    if following not in applied:
                        path.append((following, self._applied_with(following)))
                        on_path.add(following)
                    continue
                path.pop()
                on_path.discard(current)
                inner = self._applied_with(current)
                applied[current] = 1 + sum(applied[one] for one in inner)
                chain[current] = 1 + max((chain[one] for one in inner), default=0)
                if applied[current] > _MOST_APPLIED:
                    raise self._refuse(
                        self._places[current], f"applies more than {_MOST_APPLIED:,} subschemas to one value."
                    )
                if chain[current] > _LONGEST_CHAIN:
                    raise self._refuse(
                        self._places[current],
                        f"leads through more than {_LONGEST_CHAIN} references and subschemas for one value.",
                    )

    def _applied_with(self, current: int) -> list[int]:
        """The subschemas that apply to the same value as a subschema."""
        inner = [one for one, _, same in _subschemas(self._schemas[current]) if same]
        return [id(one) for one in [*inner, *self._targets.get(current, [])] if not isinstance(one, bool)]


def _subschemas(schema: Schema) -> Iterator[tuple[Any, str, bool]]:
    """Each subschema, its place within the schema, and whether it applies to the same value."""
    for keys, same in ((_SAME_ONE, True), (_PART_ONE, False)):
        for key in keys:
            if key in schema:
                yield schema[key], key, same
    for keys, same in ((_SAME_LISTS, True), (_PART_LISTS, False)):
        for key in keys:
            if isinstance(schema.get(key), list):
                for number, inner in enumerate(schema[key]):
                    yield inner, f"{key}/{number}", same
    for keys, same in ((_SAME_MAPS, True), (_PART_MAPS, False)):
        for key in keys:
            if isinstance(schema.get(key), dict):
                for name, inner in schema[key].items():
                    yield inner, f"{key}/{name}", same


def _step(value: Any, part: str) -> Any:
    """One step of a JSON pointer; None when there is nothing."""
    if isinstance(value, dict):
        return cast(dict[str, Any], value).get(part)
    if isinstance(value, list) and part.isdecimal() and len(part) < 10 and int(part) < len(cast(list[Any], value)):
        return cast(list[Any], value)[int(part)]
    return None
