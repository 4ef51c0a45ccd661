"""JSON with integers of more than 64 bits, which the JSON library rounds."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from workroom.domain.errors import BadInput
from workroom.domain.values.exact_json import parse, parse_64_bits, parse_packed

LARGE = 12345678901234567890123


@pytest.mark.parametrize("value", [LARGE, -LARGE, [{"a": LARGE}, 1.5, "ä"], 2**64 - 1, -(2**63), "1" * 30, 0.1])
def test_integers_are_not_rounded(value: Any) -> None:
    text = str(value).replace("'", '"') if not isinstance(value, str) else f'"{value}"'
    assert parse(text) == value == parse(text.encode())
    assert type(parse(text)) is type(value)


def test_a_body_is_refused_or_packed() -> None:
    assert parse_packed(f"[{LARGE}]") == [{"~": ["int", str(LARGE)]}]
    assert parse_64_bits(str(2**64 - 1)) == 2**64 - 1
    with pytest.raises(BadInput, match=f'{LARGE} has more than 64 bits. Write .*"int"'):
        parse_64_bits(f'{{"n": {LARGE}}}')
    for wrong in ("1" * 5_000, "[NaN, 1111111111111111111111]"):
        with pytest.raises(orjson.JSONDecodeError):
            parse(wrong)
