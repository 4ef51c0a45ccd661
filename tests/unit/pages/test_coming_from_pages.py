"""The pages for people who come from other tools: what they call the same is there, what they call missing is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from workroom import pdoflow
from workroom.worker.function_registry import Function
from workroom.worker.postings.posting import Posting
from workroom.zndraw import ZnDraw

HOWTO = Path(__file__).parents[3] / "docs" / "howto"


def _section(page: str, title: str) -> list[str]:
    """The first column of the tables below a heading."""
    text = (HOWTO / page).read_text().split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    return [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]


def _attributes(rows: list[str], of: str) -> set[str]:
    return {name for row in rows for name in re.findall(rf"\b{of}\.(\w+)", row)}


def test_the_names_of_zndraw_are_there_or_not_as_the_page_says() -> None:
    same = _attributes(_section("coming_from_zndraw.md", "The same"), "vis")
    assert len(same) > 10 and [name for name in sorted(same) if not hasattr(ZnDraw, name)] == []
    missing = _attributes(_section("coming_from_zndraw.md", "Not there"), "vis")
    assert len(missing) > 10 and [name for name in sorted(missing) if hasattr(ZnDraw, name)] == []


@pytest.mark.parametrize("keyword", ["copy_from", "template", "description"])
def test_keywords_of_zndraw_that_are_missing_are_refused(keyword: str) -> None:
    rows = " ".join(_section("coming_from_zndraw.md", "Not there"))
    assert f"`{keyword}=`" in rows
    unchecked: Any = ZnDraw
    with pytest.raises(TypeError, match=keyword):
        unchecked("http://127.0.0.1:1", **{keyword: "x"})


def test_what_is_missing_of_pdoflow_is_refused() -> None:
    rows = " ".join(_section("coming_from_pdoflow.md", "Not there"))
    unchecked: Any = pdoflow
    settings = re.findall(r"(\w+)=…", re.findall(r"`ClusterPool\((.*?)\)`", rows)[0])
    assert len(settings) == 3
    for setting in settings:
        with pytest.raises(TypeError, match=setting):
            unchecked.ClusterPool(max_workers=1, database="postgresql://nowhere", **{setting: 1})
    with pytest.raises(TypeError, match="registry"):
        unchecked.job(name="x", registry=object())
    for name in ("Session", "JobRegistry", "await_for_status_threshold"):
        assert name in rows and not hasattr(pdoflow, name)


@pytest.mark.parametrize("page", ["pdoflow", "celery", "dask"])
def test_methods_of_postings_on_the_pages_exist(page: str) -> None:
    text = (HOWTO / f"coming_from_{page}.md").read_text()
    methods = set(re.findall(r"\bposting\.(\w+)", text))
    assert len(methods) > 2 and [name for name in sorted(methods) if not hasattr(Posting, name)] == []
    assert hasattr(Function, "map") and hasattr(Function, "post_work")
