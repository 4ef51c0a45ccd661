"""Files as the values of fields: uploaded, checked, given to jobs, and deleted with them."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import pytest
from pydantic import BaseModel, ValidationError
from tests.acceptance.live import LiveServer, Someone
from tests.acceptance.server.cli.commands import Command, told
from tests.acceptance.server.cli.conftest import admin_token, run

from workroom import BadInput, Category, Extension, File, FileLimits, InvalidArguments, Room
from workroom.actions.engine import Engine
from workroom.actions.forms.input_files import delete_unused_files
from workroom.store.database import Database
from workroom.store.embedded import running_url

__all__ = ["admin_token", "run"]
PATIENCE = 20.0


class Part(BaseModel):
    files: list[File] = []


class Reads(Extension):
    """Reads its files."""

    category = Category.ANALYSIS
    structure: Annotated[File, FileLimits(suffixes=(".cif", ".xyz"), max_bytes=1_000)] | None = None
    parts: Part = Part()
    big: File | None = None

    def run(self, vis: Any, **kwargs: Any) -> Any:
        structure = None if self.structure is None else self.structure.read_text()
        return [structure, [file.read_text() for file in self.parts.files], self.big and len(self.big.read_bytes())]


@pytest.fixture(scope="module")
def lab(server: LiveServer) -> Generator[Room]:
    with Room("files-of-fields", server.url, "ada") as room:
        room.register_extension(Reads)
        yield room


@pytest.fixture
def cif(tmp_path: Path) -> Path:
    file = tmp_path / "a.CIF"
    file.write_text("data_a")
    return file


def test_files_of_a_field_a_list_and_a_model_reach_the_job(lab: Room, cif: Path, tmp_path: Path) -> None:
    others = [tmp_path / name for name in ("one.txt", "two.txt")]
    for other in others:
        other.write_text(other.stem)
    big = tmp_path / "big.bin"
    big.write_bytes(b"x" * 3_500_000)
    given = Reads(structure=cif, parts=Part(files=[File(other) for other in others]), big=File(big))  # pyright: ignore[reportArgumentType]
    assert lab.run(given).result(PATIENCE) == ["data_a", ["one", "two"], 3_500_000]
    assert given.structure is not None and given.structure.id is None, "the caller's object is unchanged"


def test_a_retried_job_and_a_sweep_have_the_file_too(lab: Room, cif: Path) -> None:
    job = lab.run(Reads(structure=File(cif)))
    job.wait(PATIENCE)
    assert job.retry().result(PATIENCE)[0] == "data_a"
    value = job.refresh().data["structure"]
    path = "/api/rooms/files-of-fields/extensions/analysis/Reads/submit-many"
    many = lab.portal.call(lab.inner.access.post(path, {"data": [{"structure": value}, {"structure": value}]}))
    for job_id in many["jobIds"]:
        assert lab.jobs[job_id].result(PATIENCE)[0] == "data_a"


def test_a_file_that_a_field_does_not_accept_is_refused_before_the_upload(tmp_path: Path) -> None:
    wrong = tmp_path / "a.txt"
    wrong.write_text("x")
    large = tmp_path / "a.cif"
    large.write_text("x" * 1_001)
    for path, reason in (
        (wrong, r"ends with \.cif or \.xyz"),
        (large, "at most 1,000 bytes"),
        (tmp_path / "none.cif", "There is no file"),
    ):
        with pytest.raises(ValidationError, match=reason):
            Reads(structure=path)  # pyright: ignore[reportArgumentType]


async def test_the_server_names_the_field_of_a_wrong_file(server: LiveServer, lab: Room, cif: Path) -> None:
    someone = await Someone.signs_in(server, "bob-of-files")
    inputs = "/api/rooms/files-of-fields/inputs"
    stored = (await someone.http.post(inputs, params={"name": "../../etc/a.cif"}, content=b"data_a")).json()
    assert stored["name"] == "a.cif" and stored["size"] == 6
    downloaded = await someone.http.get(f"{inputs}/{stored['file']}")
    assert downloaded.content == b"data_a" and downloaded.headers["content-disposition"].startswith("attachment")
    submit = "/api/rooms/files-of-fields/extensions/analysis/Reads/submit"
    text = (await someone.http.post(inputs, params={"name": "a.txt"}, content=b"x")).json()
    for value, reason in (
        (text, "ends with .cif or .xyz"),
        (stored | {"file": str(uuid4())}, "Upload it again"),
        (stored | {"name": "b.cif"}, "this upload is a.cif"),
        (stored | {"size": 3}, "of 6 bytes"),
        ("a.cif", ""),
        ({"file": stored["file"]}, ""),
    ):
        answer = await someone.http.post(submit, json={"data": {"structure": value}})
        assert answer.status_code == 422, answer.text
        assert reason in answer.text and "data.structure" in str(answer.json()["errors"]), answer.text
    assert (await someone.http.post(inputs, params={"name": "a.cif"}, content=b"")).status_code == 400
    assert (await someone.http.post(inputs, content=b"x")).status_code == 422
    # The file of another room is not found here.
    elsewhere = await someone.makes_room("files-elsewhere")
    foreign = (await someone.http.post(f"/api/rooms/{elsewhere}/inputs", params={"name": "a.cif"}, content=b"x")).json()
    assert (await someone.http.post(submit, json={"data": {"structure": foreign}})).status_code == 422
    assert (await someone.http.get(f"{inputs}/{foreign['file']}")).status_code == 404
    await someone.close()


async def test_a_file_goes_with_the_last_job_that_has_it(server: LiveServer, lab: Room, cif: Path) -> None:
    someone = await Someone.signs_in(server, "carl-of-files")
    room = await someone.makes_room("files-kept")
    inputs = f"/api/rooms/{room}/inputs"
    used, unused = [
        (await someone.http.post(inputs, params={"name": "a.cif"}, content=b"data_a")).json() for _ in range(2)
    ]
    worker_body = {"name": "Reads", "category": "analysis", "schema": Reads.model_json_schema()}
    answer = await someone.http.post(
        "/api/workers/register", json={"room": room, "extensions": [worker_body], "capacity": 1, "info": {}}
    )
    assert answer.status_code == 201, answer.text
    submitted = await someone.submits(room, "Reads", {"structure": used}, category="analysis")
    url = running_url(server.data)
    assert url is not None
    async with Database(url, connections=2) as database:
        engine = Engine(database)
        assert await delete_unused_files(engine) == 0, "a form may still be open"
        assert await delete_unused_files(engine, seconds=0) >= 1
        assert (await someone.http.get(f"{inputs}/{unused['file']}")).status_code == 404
        assert (await someone.http.get(f"{inputs}/{used['file']}")).status_code == 200
        await someone.http.delete(f"/api/jobs/{submitted['jobId']}")
        async with database.connection() as connection:
            await connection.execute("DELETE FROM job WHERE id = %s", [submitted["jobId"]])
        await delete_unused_files(engine, seconds=0)
        assert (await someone.http.get(f"{inputs}/{used['file']}")).status_code == 404
        async with database.connection() as connection:
            cursor = await connection.execute(
                "SELECT bytes FROM room_data JOIN room ON room.number = room_data.room WHERE name = %s", [room]
            )
            assert await cursor.fetchone() == (0,), "the bytes of the files are given back"
    await someone.close()


async def test_a_file_larger_than_the_setting_is_refused(own_server: LiveServer) -> None:
    own_server.stop()
    own_server.change(WORKROOM_INPUT_BYTES="2000")
    own_server.start()
    someone = await Someone.signs_in(own_server, "dora")
    room = await someone.makes_room("small")
    answer = await someone.http.post(f"/api/rooms/{room}/inputs", params={"name": "a"}, content=b"x" * 2_001)
    assert answer.status_code == 413 and "2,000 bytes" in answer.text
    await someone.close()


async def test_the_command_line_uploads_a_file(run: Command, lab: Room, cif: Path) -> None:
    def workroom(*words: str, **more: Any) -> Any:
        return run("run", lab.name, "analysis/Reads", *words, **more)

    ran = await asyncio.to_thread(workroom, f"structure=@{cif}", "--wait")
    assert "data_a" in ran.stdout
    missing = await asyncio.to_thread(workroom, "structure=@nowhere.cif", code=1)
    assert "there is no file nowhere.cif" in missing.stderr and "write it as JSON" in missing.stderr
    accepted = told(await asyncio.to_thread(workroom, f"structure=@{cif}", "--json"))
    assert accepted["status"] in ("assigned", "pending")


def test_a_value_that_is_no_file_is_named(lab: Room) -> None:
    with pytest.raises(InvalidArguments, match="structure"):
        lab.run("analysis/Reads", structure="a.cif")
    with pytest.raises((ValidationError, BadInput), match="pathlib"):
        Reads(structure="a.cif")  # pyright: ignore[reportArgumentType]
