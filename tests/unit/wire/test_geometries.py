"""The schemas of geometries, from which the web app makes its forms."""

from __future__ import annotations

from workroom.wire.geometries import schemas


def test_labels_of_fields_are_words_in_the_spelling_of_the_app() -> None:
    titles = {field["title"] for schema in schemas().values() for field in schema["properties"].values()}
    assert {"Colour", "Selection colour", "Negative colour", "Both signs"} <= titles
    assert [title for title in titles if "color" in title.lower()] == []
