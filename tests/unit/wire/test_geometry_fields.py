"""Every field of a geometry has an effect in the viewer: a form must not offer what changes nothing."""

from __future__ import annotations

import re

import pytest
from tests.acceptance.live import ROOT

from workroom.wire.geometries import TYPES

SCENE = ROOT / "web" / "src" / "features" / "viewer" / "scene"


@pytest.mark.parametrize("type", TYPES)
def test_the_viewer_reads_every_field(type: str) -> None:
    code = "\n".join(file.read_text() for file in SCENE.glob("*.ts") if ".test." not in file.name)
    read = set(re.findall(r"\b(?:data|camera)\.(\w+)", code))
    for names in re.findall(r"const \{ ([\w, ]+) \} = data\b", code):
        read |= set(names.split(", "))
    for names in re.findall(r'for \(const field of \[((?:"\w+"(?:, )?)+)\]', code):
        read |= set(re.findall(r"\w+", names))
    fields = {field.alias or name for name, field in TYPES[type].model_fields.items()}
    assert fields <= read, f"nothing draws {sorted(fields - read)} of {type}"
