"""The file in a form, in whatever pieces it arrives."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.errors import BadInput
from workroom.server.files.multipart import find_file, parse_boundary

BOUNDARY = b"--xyz"


async def pieces(body: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


def form(content: bytes, name: str = "cu.xyz") -> bytes:
    field = b'--xyz\r\nContent-Disposition: form-data; name="note"\r\n\r\nsome words\r\n'
    head = f'--xyz\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: x/y\r\n\r\n'
    return field + head.encode() + content + b"\r\n--xyz--\r\n"


@given(content=st.binary(max_size=300) | st.just(b"\r\n--xy\r\n--x"), size=st.integers(1, 400))
async def test_the_content_comes_out_whole_however_it_is_cut(content: bytes, size: int) -> None:
    if b"\r\n--xyz" in content:
        return
    found = await find_file(pieces(form(content), size), BOUNDARY)
    assert found.name == "cu.xyz"
    assert b"".join([piece async for piece in found.content]) == content


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no form at all",
        b'--xyz\r\nContent-Disposition: form-data; name="note"\r\n\r\nwords\r\n--xyz--\r\n',
        form(b"abc")[:-12],
        b"--xyz" + b"x" * 40_000,
    ],
)
async def test_a_form_without_a_whole_file_is_refused(body: bytes) -> None:
    async def content() -> list[bytes]:
        return [piece async for piece in (await find_file(pieces(body, 1000), BOUNDARY)).content]

    with pytest.raises(BadInput, match="form"):
        await content()


def test_the_boundary_is_told_by_the_content_type() -> None:
    assert parse_boundary('multipart/form-data; boundary="xyz"') == BOUNDARY
    assert parse_boundary("multipart/form-data; boundary=xyz; charset=utf-8") == BOUNDARY
    assert parse_boundary("application/octet-stream") is None
    with pytest.raises(BadInput, match="boundary"):
        parse_boundary("multipart/form-data")
