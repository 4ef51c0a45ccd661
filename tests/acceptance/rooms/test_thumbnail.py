"""The picture of a room in lists: writers set it, readers see it, and it goes with the room."""

from __future__ import annotations

import io

from PIL import Image
from tests.acceptance.live import LiveServer, Someone


def picture(colour: str, side: int = 40) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(file, "WEBP")
    return file.getvalue()


async def test_a_thumbnail_is_seen_by_those_who_may_read_the_room(server: LiveServer, ada: Someone, room: str) -> None:
    bob = await Someone.signs_in(server, f"bob-{room}")
    at = f"/api/rooms/{room}/thumbnail"

    async def drawn_at() -> str | None:
        rooms = (await bob.get(f"/api/rooms?q={room}"))["items"]
        return next(one["thumbnailAt"] for one in rooms if one["name"] == room)

    assert await drawn_at() is None
    assert (await ada.http.get(at)).status_code == 404
    assert (await bob.http.put(at, content=picture("red"))).status_code == 204
    first = await drawn_at()
    assert (await bob.http.put(at, content=picture("blue"))).status_code == 204
    second = await drawn_at()
    assert first is not None and second is not None and second > first
    answer = await ada.http.get(at)
    assert answer.content == picture("blue")
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "private, no-cache"
    again = await ada.http.get(at, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    # What is no such image is refused, whatever its content type says, and the last one stays.
    for content, status in [
        (b"<svg/>", 400),
        (picture("red", 513), 400),
        (picture("red").ljust(10_241, b"\x00"), 413),
        (b"", 400),
    ]:
        refused = await ada.http.put(at, content=content, headers={"Content-Type": "image/webp"})
        assert refused.status_code == status, refused.text
    assert (await ada.http.get(at)).content == picture("blue")
    # Rights: a reader does not set it, and who cannot see the room does not get it.
    private = {"visibility": "private"}
    assert (await ada.http.patch(f"/api/rooms/{room}", json=private)).status_code == 200
    for request in [bob.http.get(at), bob.http.put(at, content=picture("red"))]:
        assert (await request).status_code == 404
    assert (await ada.http.put(f"/api/rooms/{room}/members/{bob.name}", json={"rights": "read"})).is_success
    assert (await bob.http.get(at)).content == picture("blue")
    assert (await bob.http.put(at, content=picture("red"))).status_code == 403
    # A copy has it from the start; a room of the same name that is made later has none.
    copied = await ada.http.post(f"/api/rooms/{room}/duplicate", json={"name": f"{room}-copy"})
    assert copied.status_code == 201
    assert (await ada.http.get(f"/api/rooms/{room}-copy/thumbnail")).content == picture("blue")
    assert (await ada.http.delete(f"/api/rooms/{room}")).status_code == 204
    await ada.makes_room(room)
    assert (await ada.http.get(at)).status_code == 404
    await bob.close()
