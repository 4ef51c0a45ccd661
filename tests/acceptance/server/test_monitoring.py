"""The files of `deploy/prometheus` and `deploy/grafana` fit the metrics of a server, as Prometheus itself judges."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from tests.acceptance.live import ROOT, LiveServer, PlainWorker, Someone, eventually
from tests.acceptance.server.test_metrics import metrics_page

DEPLOY = ROOT / "deploy"
CASES = Path(__file__).with_name("alert_cases.yml")
QUEUES = ("workroom_queue_jobs", "workroom_queue_oldest_waiting_job_seconds", "workroom_workers")


def _promtool(*words: str | Path, stdin: str | None = None) -> str:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed")
    command = [program, *map(str, words)]
    ended = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def _panels() -> list[str]:
    dashboard: dict[str, Any] = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def _rules() -> list[dict[str, Any]]:
    rules: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    return [rule for group in rules["groups"] for rule in group["rules"]]


@pytest.fixture
async def page(server: LiveServer, name: str) -> str:
    """The metrics of a server with a job that runs and one that waits."""
    ada = await Someone.signs_in(server, f"ada-{name}")
    room = await ada.makes_room(name)
    worker = await PlainWorker.online(ada, room, "Relax")
    jobs = [(await ada.submits(room, "Relax", {"n": n}))["jobId"] for n in range(2)]
    await worker.gets(within=10)
    served = await eventually(lambda: metrics_page(server), lambda now: all(f"\n{one}{{" in now for one in QUEUES), 30)
    for job in jobs:
        await ada.http.post(f"/api/jobs/{job}/cancel")
    await worker.leaves()
    await ada.close()
    return served


def test_alerts_and_dashboard_name_metrics_that_are_served(page: str) -> None:
    families = list(text_string_to_metric_families(page))
    served = {sample.name for family in families for sample in family.samples}
    asked = _panels() + [rule["expr"] for rule in _rules()]
    used = {name for one in asked for name in re.findall(r"\b(?:workroom|process)_\w+", one)}
    assert used - served == set()
    assert len(used) > 15
    described = (ROOT / "docs" / "howto" / "monitoring.md").read_text()
    ours = {family.name for family in families if family.name.startswith("workroom_")}
    missing = {name for name in ours if f"`{name}" not in described}
    assert missing == set(), "the how-to page lists every metric"


def test_promtool_accepts_the_metrics(page: str) -> None:
    _promtool("check", "metrics", stdin=page)


def test_promtool_accepts_configuration_and_rules(tmp_path: Path) -> None:
    folder = shutil.copytree(DEPLOY / "prometheus", tmp_path / "prometheus")
    token = tmp_path / "token"
    token.write_text("a token")
    file = folder / "prometheus.yml"
    file.write_text(file.read_text().replace("/etc/prometheus/workroom-token", str(token)))
    assert "SUCCESS" in _promtool("check", "config", file)
    assert "rules found" in _promtool("check", "rules", folder / "alerts.yml")


def test_every_alert_fires_when_it_should_and_not_otherwise() -> None:
    cases = [case for test in yaml.safe_load(CASES.read_text())["tests"] for case in test["alert_rule_test"]]
    alerts = {rule["alert"] for rule in _rules()}
    assert {case["alertname"] for case in cases if "exp_alerts" in case} == alerts
    assert {case["alertname"] for case in cases if "exp_alerts" not in case} == alerts
    assert "SUCCESS" in _promtool("test", "rules", CASES)


def test_every_panel_of_the_dashboard_has_data(page: str, tmp_path: Path) -> None:
    """Prometheus evaluates its expressions on what a server serves, scraped for ten minutes."""
    scraped = {"job": "workroom", "instance": "workroom.example.org:443"}
    series: dict[str, str] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            labels = ",".join(f"{name}={json.dumps(value)}" for name, value in (scraped | sample.labels).items())
            grows = family.type in ("counter", "histogram")
            series[f"{sample.name}{{{labels}}}"] = f"{sample.value:f}+{int(grows)}x40"
    asked = [one.replace("$__rate_interval", "5m") for one in _panels()]
    test = {
        "interval": "15s",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": f"(count({one}) > bool 0) or vector(0)",
                "eval_time": "10m",
                "exp_samples": [{"labels": "{}", "value": 1}],
            }
            for one in asked
        ],
    }
    file = tmp_path / "panels.yml"
    file.write_text(yaml.safe_dump({"rule_files": [], "evaluation_interval": "15s", "tests": [test]}))
    assert len(asked) >= 30 and "SUCCESS" in _promtool("test", "rules", file)


def test_grafana_finds_the_data_source_of_the_dashboard() -> None:
    provisioning = DEPLOY / "grafana" / "provisioning"
    (source,) = yaml.safe_load((provisioning / "datasources" / "prometheus.yaml").read_text())["datasources"]
    dashboard = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
    assert {panel["datasource"]["uid"] for panel in dashboard["panels"]} == {source["uid"]}
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    (provider,) = yaml.safe_load((provisioning / "dashboards" / "workroom.yaml").read_text())["providers"]
    assert provider["type"] == "file" and provider["options"]["path"]
