"""Choices of a field that a worker answers: what the schema tells, and who is refused with what reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone

from workroom import AsyncRoom, Category, Extension, choices
from workroom.client.extension import schema_of


class Picks(Extension):
    category = Category.ANALYSIS
    letter: str = "a"
    number: int = 0

    @staticmethod
    @choices("number", depends_on=["letter"])
    def numbers(values: dict[str, Any], vis: Any) -> Any:
        return range(ord(values["letter"]) - 96)

    def run(self, vis: Any, **kwargs: Any) -> Any:
        return self.number


@pytest.fixture
async def picks(server: LiveServer, ada: Someone, room: str) -> AsyncGenerator[str]:
    async with AsyncRoom(room, server.url, ada.name) as lab:
        await lab.register_extension(Picks)
        yield f"/api/rooms/{room}/extensions/analysis/Picks/choices"


def test_the_schema_names_the_field_and_what_it_depends_on() -> None:
    fields = schema_of(Picks)["properties"]
    assert fields["number"]["choices"] == {"dependsOn": ["letter"]} and "choices" not in fields["letter"]
    with pytest.raises(TypeError, match="names 'nothing'"):

        class Wrong(Extension):  # pyright: ignore[reportUnusedClass]
            category = Category.ANALYSIS

            @staticmethod
            @choices("nothing")
            def of_nothing(values: dict[str, Any], vis: Any) -> Any:
                return []

            def run(self, vis: Any, **kwargs: Any) -> Any: ...


async def test_a_worker_answers_and_bad_questions_are_named(ada: Someone, picks: str) -> None:
    answer = await ada.http.post(picks, json={"field": "number", "data": {"letter": "c"}})
    assert answer.status_code == 200, answer.text
    assert [one["value"] for one in answer.json()["choices"]] == [0, 1, 2]
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"field": "letter"}, 400, "no field 'letter'"),
        ({"field": "number", "data": {}}, 400, "KeyError"),
        ({"field": "number", "data": {"letter": "~" * 3}}, 400, "TypeError"),
        ({"data": {}}, 422, "field"),
    ]
    for body, status, reason in wrong:
        answer = await ada.http.post(picks, json=body)
        assert answer.status_code == status and reason in answer.text, answer.text


async def test_only_the_asked_worker_is_heard_and_its_token_only_reads(ada: Someone, room: str) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer", "choices": {"dependsOn": []}}}}
    worker = await PlainWorker.online(ada, room, "Relax", schema=schema)
    await worker.is_seen("idle")
    asked: asyncio.Queue[Any] = asyncio.Queue()
    worker.sio.on("extension:choices", asked.put)
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/choices"
    question = asyncio.create_task(ada.http.post(path, json={"field": "n"}))
    async with asyncio.timeout(10):
        body = await asked.get()
    # The token reads this room and does nothing else.
    bearer = {"Authorization": f"Bearer {body['token']}"}
    assert (await ada.http.get(f"/api/rooms/{room}/state", headers=bearer)).status_code == 200
    other = await ada.makes_room(f"{room}-other")
    assert (await ada.http.get(f"/api/rooms/{other}/state", headers=bearer)).status_code == 404
    assert (await ada.http.post(f"/api/rooms/{room}/chat", headers=bearer, json={"text": "x"})).status_code == 401
    assert (await ada.http.get("/api/users/me", headers=bearer)).status_code == 401
    # Another worker is not heard.
    stranger = await PlainWorker.online(ada, room, "Other")
    foreign = {"id": body["id"], "choices": [{"value": 13, "label": "13"}]}
    assert (await stranger.sio.call("extension:answer", foreign))["ok"]
    assert (await worker.sio.call("extension:answer", foreign | {"choices": "none"}))["ok"] is False
    assert (await worker.sio.call("extension:answer", {"id": body["id"], "error": "not today"}))["ok"]
    answer = await question
    assert answer.status_code == 400 and "not today" in answer.text
    await stranger.leaves()
    await worker.leaves()
    # Registered, but never connected.
    assert (await PlainWorker(ada).registers(room, "Lonely", schema=schema)).status_code == 201
    answer = await ada.http.post(path.replace("Relax", "Lonely"), json={"field": "n"})
    assert answer.status_code == 503 and "No worker of Lonely is online" in answer.text
