"""Presets of forms: saved under a name, shared in the room, changed by their author or an owner."""

from __future__ import annotations

import asyncio

from tests.acceptance.live import LiveServer, Someone, plain_socket


async def test_presets_are_shared_and_belong_to_their_author(server: LiveServer, ada: Someone, room: str) -> None:
    bob, carl = await Someone.signs_in(server, f"bob-{room}"), await Someone.signs_in(server, f"carl-{room}")
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/presets"
    sio = plain_socket()
    changed: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    sio.on("presets:changed", changed.put)
    await sio.connect(server.url, auth={"token": carl.token}, transports=["websocket"])
    assert (await sio.call("room:join", {"room": room}))["ok"]
    assert (await bob.http.put(f"{path}/tight", json={"data": {"fmax": 0.001}})).status_code == 204
    async with asyncio.timeout(10):
        assert await changed.get() == {"room": room, "category": "modifiers", "name": "Relax"}
    (preset,) = (await carl.get(path))["items"]
    assert (preset["name"], preset["data"], preset["user"]) == ("tight", {"fmax": 0.001}, bob.name)
    # Another person neither replaces nor deletes it; its author and the owner of the room do.
    refused = await carl.http.put(f"{path}/tight", json={"data": {}})
    assert refused.status_code == 409 and "another person" in refused.text
    assert (await carl.http.delete(f"{path}/tight")).status_code == 404
    assert (await bob.http.put(f"{path}/tight", json={"data": {"fmax": 0.002}})).status_code == 204
    assert (await ada.http.put(f"{path}/tight", json={"data": {"fmax": 0.003}})).status_code == 204
    (preset,) = (await bob.get(path))["items"]
    assert preset["data"] == {"fmax": 0.003} and preset["user"] == bob.name
    assert (await bob.get(f"/api/rooms/{room}/extensions/modifiers/Other/presets"))["items"] == []
    assert (await ada.http.delete(f"{path}/tight")).status_code == 204
    assert (await carl.get(path))["items"] == []
    await sio.disconnect()
    await bob.close()
    await carl.close()


async def test_presets_are_bounded_and_bad_ones_are_named(ada: Someone, room: str) -> None:
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/presets"
    assert (await ada.http.put(f"{path}/x", json={"data": {"a": "y" * 100_001}})).status_code == 413
    assert (await ada.http.put(f"{path}/{'x' * 101}", json={"data": {}})).status_code == 422
    assert (await ada.http.put(f"{path}/%20", json={"data": {}})).status_code == 400
    assert (await ada.http.put(f"{path}/x", json={"values": {}})).status_code == 422
    for number in range(100):
        assert (await ada.http.put(f"{path}/{number}", json={"data": {}})).status_code == 204
    refused = await ada.http.put(f"{path}/one-more", json={"data": {}})
    assert refused.status_code == 409 and "100 presets" in refused.text
    assert (await ada.http.put(f"{path}/0", json={"data": {"a": 1}})).status_code == 204
