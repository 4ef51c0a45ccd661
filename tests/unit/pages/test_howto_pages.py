"""Commands and values in the pages fit what they are used with."""

from __future__ import annotations

import json
import re
from pathlib import Path

from workroom.atoms import Relax
from workroom.domain.jobs.sweep import arguments_of_sweep
from workroom.server.settings import Settings

DOCS = Path(__file__).parents[3] / "docs"


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


def test_defaults_of_settings_that_pages_name_are_those_of_the_server() -> None:
    """As in `connections` (20), and in tables: | `pool_nice` | 5 |, | of one name | `logins_per_minute` | 5 |."""
    checked, wrong = 0, list[str]()
    named = re.compile(r"`([a-z_]+)`(?: \((?:default )?| \| )`?([\w.,]*\w)`?(?:\)| \|)")
    for page in sorted(DOCS.rglob("*.md")):
        if page.name in ("settings.md", "schema.md"):  # made from the code
            continue
        for setting, value in named.findall(page.read_text()):
            if setting in Settings.model_fields:
                checked += 1
                default = Settings.model_fields[setting].get_default(call_default_factory=True)
                if value.replace(",", "").lower() not in (
                    str(default).lower(),
                    f"{default:g}" if isinstance(default, float) else "",
                ):
                    wrong.append(f"{page.name}: {setting} is {default}, not {value}")
    assert checked > 15 and wrong == []


def test_variables_that_pages_name_exist() -> None:
    root = DOCS.parent
    sources = [*(root / "src").rglob("*.py"), *(root / "tests").rglob("*.py"), *(root / "deploy").rglob("*")]
    known = {f"WORKROOM_{name.upper()}" for name in Settings.model_fields}
    for file in sources:
        if file.is_file():
            known.update(re.findall(r"WORKROOM_[A-Z_]+", file.read_text()))
    pages = [*root.glob("*.md"), *DOCS.rglob("*.md")]
    named = {(page.name, name) for page in pages for name in re.findall(r"WORKROOM_\w+", page.read_text())}
    assert len(named) > 50
    assert {(page, name) for page, name in named if name not in known} == set()
