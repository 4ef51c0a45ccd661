"""Profiles: what jobs cost, seen in the database, over REST, on the command line and in other tools."""

from __future__ import annotations

import json
import pstats
import re
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.acceptance import profiled_functions
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer, Someone
from tests.posting_backend import close_backend
from typer.testing import CliRunner

from workroom import BadInput, ClusterPool, Registry, job
from workroom.cli import app
from workroom.store.embedded import running_url

POSTER = "profiler"
DOCS = Path(__file__).parents[3] / "docs"

# The second version does the same in many more steps.
VERSIONED = """
from workroom import job
from tests.acceptance.profiled_functions import spin

def step():
    spin(0.002)

{more_lines}
@job(name="versioned", profile=1.0)
def versioned():
    for _ in range({steps}):
        step()
"""


@dataclass
class Profiled:
    url: str
    server: LiveServer
    postings: dict[str, UUID]

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()

    def command(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "workroom.cli", "profiles", *words, "--database", self.url],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture(scope="module")
def profiled(server: LiveServer, tmp_path_factory: pytest.TempPathFactory) -> Generator[Profiled]:
    """Known workloads that have been run on the server's database, by a person of their own."""
    url = running_url(server.data)
    assert url is not None
    file = tmp_path_factory.mktemp("versions") / "versioned.py"
    postings: dict[str, UUID] = {}

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKROOM_USER", POSTER)
        with ClusterPool(1, imports=[profiled_functions.__name__], database=url):
            for name, calls in (
                ("workload", [(2,)] * 8),
                ("tiny", [(-n,) for n in range(3_000)]),
                ("sampled", [(n,) for n in range(3_000)]),
                ("stacked", [()] * 3),
            ):
                postings[name] = Registry[name].post_work(calls, database=url).wait(60).id
        for version, steps in (("before", 1), ("after", 12)):
            file.write_text(VERSIONED.format(steps=steps, more_lines="# moved\n" * steps))
            with ClusterPool(1, imports=[str(file)], database=url):
                postings[version] = Registry["versioned"].post_work([()] * 5, database=url).wait(60).id
    yield Profiled(url, server, postings)
    close_backend(url)


def test_a_known_workload_names_its_hot_function_with_the_right_counts(profiled: Profiled) -> None:
    rows = profiled.sql(
        "SELECT function, executions, calls, calls_per_execution FROM profile_hotspots WHERE job = 'workload' "
        # The path begins below an entry of `sys.path`, to which an earlier test of this process may have added one.
        "AND file LIKE '%profiled_functions.py' ORDER BY own_ms DESC"
    )
    assert rows[0] == ("spin", 8, 8 * 17, 17.0)  # 7 x 2 by hot, 3 by cold
    assert set(rows[1:]) == {("hot", 8, 56, 7.0), ("cold", 8, 24, 3.0), ("workload", 8, 8, 1.0)}
    pairs = profiled.sql("SELECT caller, callee, calls FROM profile_callers WHERE job = 'workload'")
    assert {("workload", "hot", 56), ("workload", "cold", 24), ("hot", "spin", 112), ("cold", "spin", 24)} <= set(pairs)
    (shares,) = profiled.sql("SELECT sum(own_share) FROM profile_hotspots WHERE job = 'workload'")
    assert abs(shares[0] - 1) < 1e-6


def test_short_jobs_are_gathered_and_none_is_missed(profiled: Profiled) -> None:
    rows = profiled.sql(
        "SELECT executions, calls, job_id IS NULL, posting_id FROM job_profile JOIN extension ON extension.id = "
        "extension_id WHERE name = 'tiny'"
    )
    assert sum(row[0] for row in rows) == 3_000
    assert all(calls == 2 * executions for executions, calls, _, _ in rows)  # itself and abs
    assert len(rows) < 60 and {row[3] for row in rows} == {profiled.postings["tiny"]}
    assert all((executions > 1) <= merged for executions, _, merged, _ in rows)


def test_a_tenth_is_sampled_unless_told_otherwise(profiled: Profiled) -> None:
    ((executions,),) = profiled.sql(
        "SELECT sum(executions) FROM job_profile JOIN extension ON extension.id = extension_id WHERE name = 'sampled'"
    )
    assert 200 < executions < 400, "3,000 calls, a tenth of them"


def test_a_share_must_be_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="0 to 1"):
        job(profile=2.0)
    with pytest.raises(BadInput, match="0 to 1"):
        ClusterPool(1, profile=-0.5)
    monkeypatch.setenv("WORKROOM_PROFILE", "much")
    with pytest.raises(BadInput, match="WORKROOM_PROFILE"):
        ClusterPool(1)


def test_stacks_are_whole(profiled: Profiled) -> None:
    ((stacks, calls),) = profiled.sql(
        "SELECT jsonb_agg(stacks), sum(calls) FROM job_profile JOIN extension ON extension.id = extension_id "
        "WHERE name = 'stacked'"
    )
    seen = {
        tuple(one["functions"][index][2] for index in stack): ms
        for one in stacks
        for stack, ms in zip(one["stacks"], one["ms"], strict=True)
    }
    dearest = max(seen, key=lambda stack: seen[stack])
    assert dearest[:3] == ("stacked", "hot", "spin") and calls == 0


def test_the_examples_in_sql_run_and_answer(profiled: Profiled) -> None:
    examples = re.findall(r"```sql\n(.*?)```", (DOCS / "howto" / "profiles.md").read_text(), re.DOTALL)
    answers = [profiled.sql(example) for example in examples]
    assert len(answers) == 5 and all(answers)
    assert answers[0][0][0] == "spin"
    assert [row[0] for row in answers[1]] == ["hot", "cold"]
    assert len(answers[2]) == 2 and answers[2][1][2] > 1.5 * answers[2][0][2]


async def test_the_poster_and_admins_see_profiles_and_others_do_not(profiled: Profiled, admin: Someone) -> None:
    poster = await Someone.signs_in(profiled.server, POSTER)
    stranger = await Someone.signs_in(profiled.server, "stranger-to-profiles")
    try:
        for someone in (poster, admin):
            items = (await someone.get("/api/profiles"))["items"]
            by_name = {one["function"]: one for one in items}
            assert by_name["workload"]["executions"] == 8
            top = await someone.get("/api/profiles/workload/top", order="own")
            assert top["items"][0]["name"] == "spin" and top["items"][0]["calls"] == 8 * 17
            assert top["executions"] == 8 and 0 < top["items"][0]["ownShare"] < 1
        assert (await stranger.get("/api/profiles"))["items"] == []
        for path in ("top", "callers", "export", "diff?a=version:x&b=version:y"):
            answer = await stranger.http.get(f"/api/profiles/workload/{path}")
            assert answer.status_code == 404, answer.text
        assert (await poster.http.get("/api/profiles/nothing/top")).status_code == 404
        for wrong in ("top?order=colour", "export?format=pdf", "diff?a=x&b=y", "top?posting=1"):
            assert (await poster.http.get(f"/api/profiles/workload/{wrong}")).status_code in (400, 422), wrong
        callers = await poster.get("/api/profiles/workload/callers", of="hot")
        assert {(one["caller"]["name"], one["callee"]["name"]) for one in callers["items"]} == {
            ("workload", "hot"),
            ("hot", "spin"),
        }
    finally:
        await poster.close()
        await stranger.close()


async def test_the_difference_of_two_versions_shows_the_slowdown(profiled: Profiled, admin: Someone) -> None:
    sides = {side: f"posting:{profiled.postings[name]}" for side, name in (("a", "before"), ("b", "after"))}
    diff = await admin.get("/api/profiles/versioned/diff", **sides)
    assert diff["a"]["executions"] == diff["b"]["executions"] == 5
    changes = {one["name"]: one for one in diff["items"]}
    assert diff["items"][0]["ownMsChange"] > 1 and diff["items"][0]["name"] in (
        "spin",
        "<built-in method time.perf_counter>",
    )
    assert (changes["step"]["callsA"], changes["step"]["callsB"]) == (1, 12), "found again although its line has moved"
    versions = (await admin.get("/api/profiles"))["items"]
    known = next(one["codeVersions"] for one in versions if one["function"] == "versioned")
    assert len(known) == 2
    same = await admin.get("/api/profiles/versioned/diff", a=f"version:{known[0]}", b=f"version:{known[0]}")
    assert {one["ownMsChange"] for one in same["items"]} == {0}


@pytest.mark.full
def test_the_commands_print_tables_and_json(profiled: Profiled) -> None:
    told = profiled.command("top", "workload")
    assert told.returncode == 0 and "spin" in told.stdout, told.stderr
    found = json.loads(profiled.command("top", "workload", "--json", "--order", "calls").stdout)
    assert found["executions"] == 8 and found["items"][0]["calls"] > 136
    assert "workload" in profiled.command("top").stdout
    shown = json.loads(profiled.command("show", "workload", "--of", "cold", "--json").stdout)
    assert {one["calls"] for one in shown["items"]} == {24}
    a, b = (f"posting:{profiled.postings[name]}" for name in ("before", "after"))
    heading, *rows = [line.split("\t") for line in profiled.command("diff", "versioned", a, b).stdout.splitlines()]
    changes = {row[0].split()[0]: float(row[heading.index("change ms")]) for row in rows}
    assert changes["step"] > 0
    assert (
        "'nothing' neither calls nor is called in workload"
        in profiled.command("show", "workload", "--of", "nothing").stderr
    )
    wrong = profiled.command("diff", "versioned", "yesterday", b)
    assert wrong.returncode == 1 and "is no side" in wrong.stderr
    assert "no such profiles" in profiled.command("top", "nothing").stderr


def test_a_server_tells_the_same_as_its_database(
    profiled: Profiled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without access to the database, and without the packages of a server."""
    monkeypatch.setenv("WORKROOM_URL", profiled.server.url)
    monkeypatch.setenv("WORKROOM_USER", "admin")
    monkeypatch.setenv("WORKROOM_PASSWORD", ADMIN_PASSWORD)

    def asked(*words: str) -> str:
        result = CliRunner().invoke(app, ["profiles", *words])
        assert result.exit_code == 0, result.output
        return result.stdout

    posting = str(profiled.postings["workload"])
    a, b = (f"posting:{profiled.postings[name]}" for name in ("before", "after"))
    for words in (
        ["top", "--json"],
        ["top", "workload", "--json", "--order", "calls", "--posting", posting],
        ["show", "workload", "--of", "cold", "--json"],
        ["diff", "versioned", a, b, "--json"],
        ["top", "workload"],
    ):
        assert asked(*words) == profiled.command(*words).stdout
    assert json.loads(asked("top", "workload", "--json", "--posting", posting[-20:]))["executions"] == 8
    file = tmp_path / "server.prof"
    assert json.loads(asked("export", "workload", "-o", str(file), "--json"))["bytes"] == file.stat().st_size
    assert pstats.Stats(str(file))
    refused = CliRunner().invoke(app, ["profiles", "top", "workload", "--url", "http://127.0.0.1:9"])
    assert refused.exit_code == 1 and "No server answers at http://127.0.0.1:9" in refused.stderr


def test_a_database_is_asked_by_a_part_of_the_id_of_a_posting_or_by_last(profiled: Profiled) -> None:
    part = str(profiled.postings["workload"])[-20:]
    assert json.loads(profiled.command("top", "workload", "--json", "--posting", part).stdout)["executions"] == 8
    ((newest,),) = profiled.sql("SELECT id FROM posting ORDER BY id DESC LIMIT 1")
    last, whole = (
        profiled.command("top", "versioned", "--json", "--posting", one).stdout for one in ("last", str(newest))
    )
    assert last == whole and json.loads(last)["executions"] == 5
    assert "is not the id of a posting" in profiled.command("top", "workload", "--posting", "newest").stderr


def test_exports_open_in_other_tools(profiled: Profiled, tmp_path: Path) -> None:
    assert profiled.command("export", "workload", cwd=tmp_path).returncode == 0
    stats: Any = pstats.Stats(str(tmp_path / "workload.prof"))
    counted = {name: figures[:2] for (_, _, name), figures in stats.stats.items()}
    assert counted["hot"] == (56, 56) and counted["spin"] == (136, 136)
    spin = next(figures for (_, _, name), figures in stats.stats.items() if name == "spin")
    assert {name: calls[0] for (_, _, name), calls in spin[4].items()} == {"hot": 112, "cold": 24}
    assert (
        profiled.command("export", "workload", "--format", "speedscope", "-o", "a.json", cwd=tmp_path).returncode == 0
    )
    scope = json.loads((tmp_path / "a.json").read_text())
    assert "estimated" in scope["name"]
    stacks = _stacks(scope)
    assert stacks["workload", "hot", "spin"] > stacks["workload", "cold", "spin"] > 0
    profiled.command("export", "stacked", "--format", "speedscope", "-o", "b.json", cwd=tmp_path)
    true = json.loads((tmp_path / "b.json").read_text())
    assert "estimated" not in true["name"] and ("stacked", "hot", "spin") in _stacks(true)


def _stacks(scope: dict[str, Any]) -> dict[tuple[str, ...], float]:
    frames = [frame["name"] for frame in scope["shared"]["frames"]]
    profile = scope["profiles"][0]
    return {
        tuple(frames[index] for index in sample): weight
        for sample, weight in zip(profile["samples"], profile["weights"], strict=True)
    }
