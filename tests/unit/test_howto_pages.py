"""Commands and values in the pages fit what they are used with."""

from __future__ import annotations

import json
import re
from pathlib import Path

from workroom.atoms import Relax
from workroom.domain.jobs.sweep import arguments_of_sweep

DOCS = Path(__file__).parents[2] / "docs"


def test_the_sweep_of_the_postings_page_fits_its_extension() -> None:
    page = (DOCS / "howto/postings.md").read_text()
    sweep = json.loads(re.findall(r"modifiers/Relax/sweep.*?-d '(.*?)'", page, re.DOTALL)[0])
    arguments = list(arguments_of_sweep(sweep["data"], sweep["over"]))
    assert len(arguments) == 6 and "six jobs" in page
    for one in arguments:
        assert Relax(**one).model_dump() | one == Relax(**one).model_dump()


def test_readme_and_tutorial_offer_different_extensions() -> None:
    readme = (DOCS.parent / "README.md").read_text()
    tutorial = (DOCS / "tutorial/first_extension.md").read_text()
    classes = [set(re.findall(r"^class (\w+)\(Extension", text, re.MULTILINE)) for text in (readme, tutorial)]
    assert all(classes) and not classes[0] & classes[1]
