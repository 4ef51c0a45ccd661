"""The built-in extensions as the server and a form see them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workroom.actions.extensions.arguments import check_arguments, check_schema
from workroom.atoms import BUILT_IN
from workroom.client.extension import Extension, identity, is_runnable, schema_of
from workroom.domain.schema_hash import schema_hash


def named(extension: type[Extension]) -> str:
    return "/".join(identity(extension))


def test_each_has_a_name_of_its_own() -> None:
    assert len({identity(one) for one in BUILT_IN}) == len(BUILT_IN)
    assert "selections/None" in map(named, BUILT_IN)


@pytest.mark.parametrize("extension", BUILT_IN, ids=named)
async def test_the_form_has_a_description_for_everything(extension: type[Extension]) -> None:
    assert is_runnable(extension)
    schema = schema_of(extension)
    await check_schema(extension.__name__, schema)
    assert schema["description"]
    assert [name for name, field in schema["properties"].items() if not field.get("description")] == []


@pytest.mark.parametrize("extension", BUILT_IN, ids=named)
async def test_the_defaults_fit_the_schema(extension: type[Extension]) -> None:
    schema = schema_of(extension)
    if not schema.get("required"):
        await check_arguments(schema, schema_hash(schema), extension().model_dump(mode="json"))


def test_knowing_them_needs_no_heavy_import() -> None:
    heavy = "('ase', 'plotly', 'vesin', 'h5py', 'rdkit')"
    code = f"import sys, workroom.atoms; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
