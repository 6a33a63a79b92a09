"""`mirrorstack import`: output, formats and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from mirrorstack.cli.main import main
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script, playing
from tests.unit.lint.files import connector

MM2 = "clusters=a,b\na.bootstrap.servers=a:1\nb.bootstrap.servers=b:1\na->b.enabled=true\n"
ALL = "GET /connectors?expand=info&expand=status"


@pytest.fixture
def connect() -> Iterator[Script]:
    with playing() as script:
        yield script


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["import", *arguments])


def live(state: str = "RUNNING", **config: Any) -> dict[str, Any]:
    one = connector("Source", **config)
    status = {"connector": {"state": state}, "tasks": []}
    return {one["name"]: {"info": one, "status": status}}


def test_a_file_becomes_a_stack_file_that_lints_clean(tmp_path: Path) -> None:
    file, stack = tmp_path / "mm2.properties", tmp_path / "Pulumi.dr.yaml"
    file.write_text(MM2)

    shown = run(str(file), "-o", str(stack))

    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "note: flow a->b: MirrorMaker syncs ACLs" in shown.stderr
    assert f"wrote {stack}" in shown.stderr
    assert CliRunner().invoke(main, ["lint", str(stack)]).exit_code == 0


def test_without_an_output_it_is_printed_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "mm2.properties"
    file.write_text(MM2)
    shown = run(str(file))
    assert yaml.safe_load(shown.stdout)["config"]["mirrorstack:flows"][0]["from"] == "a"


def test_several_files_with_connectors_are_one_flow(tmp_path: Path) -> None:
    files = []
    for kind in ("Source", "Checkpoint", "Heartbeat"):
        file = tmp_path / f"{kind}.json"
        file.write_text(json.dumps(connector(kind)))
        files.append(str(file))

    told = json.loads(run("--json", *files).stdout)

    (flow,) = told["stack"]["flows"]
    assert flow["groups"] == [".*"]
    assert {note["flow"] for note in told["notes"]} == {"a->b"}


def test_a_running_connect_is_asked_for_all_it_has(connect: Script) -> None:
    connect[ALL] = (200, live("PAUSED", topics="orders"))

    told = json.loads(run("--json", connect.url).stdout)

    assert told["stack"]["flows"][0]["state"] == "paused"
    assert told["stack"]["flows"][0]["topics"] == ["orders"]
    assert [asked.request for asked in connect.asked] == [ALL], "nothing is changed"


def test_what_has_failed_was_meant_to_run(connect: Script) -> None:
    connect[ALL] = (200, live("FAILED", topics="orders"))
    told = json.loads(run("--json", connect.url).stdout)
    assert "state" not in told["stack"]["flows"][0]


def test_a_password_in_a_live_config_is_not_copied(connect: Script) -> None:
    secrets = {
        "source.cluster.security.protocol": "SASL_SSL",
        "source.cluster.sasl.jaas.config": 'X required username="u" password="hunter2";',
        "source.consumer.ssl.key.password": "hunter2",
    }
    connect[ALL] = (200, live(**secrets))
    assert "hunter2" not in run(connect.url).output


class TestWhatIsRefused:
    def test_a_file_that_exists_is_not_written_over(self, tmp_path: Path) -> None:
        file = tmp_path / "mm2.properties"
        file.write_text(MM2)
        shown = run(str(file), "-o", str(file))
        assert shown.exit_code == 2
        assert "exists already" in shown.stderr
        assert file.read_text() == MM2

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("x.json", "[]", "no flow that a stack file can declare"),
            ("x.json", '{"a": 1,}', "x.json:1: cannot be parsed"),
            ("worker.properties", "group.id=g\noffset.storage.topic=o\n", "declares no flow"),
            ("mm2.properties", f"{MM2}tasks.max=x\n", "tasks.max is 'x'"),
        ],
    )
    def test_what_cannot_be_imported_is_one_message(
        self, tmp_path: Path, name: str, content: str, said: str
    ) -> None:
        file = tmp_path / name
        file.write_text(content)
        shown = run(str(file))
        assert (shown.exit_code, shown.stdout) == (2, "")
        assert said in shown.stderr
        assert "fix: " in shown.stderr

    def test_whole_files_and_addresses_stand_alone(self, tmp_path: Path, connect: Script) -> None:
        file = tmp_path / "mm2.properties"
        file.write_text(MM2)
        assert run(str(file), str(file)).exit_code == 2
        assert run(connect.url, str(file)).exit_code == 2
        assert connect.asked == []

    def test_a_connect_that_does_not_answer_or_has_nothing(self, connect: Script) -> None:
        with refused_connections() as url:
            shown = run(url)
        assert f"error: no Connect worker responds at {url}" in shown.stderr
        assert "fix: correct the URL, or check that a Connect worker is running" in shown.stderr
        connect[ALL] = (200, {})
        assert "has no connectors" in run(connect.url).stderr
        shown = run("http://user:hunter2@127.0.0.1:1")
        assert shown.exit_code == 2
        assert "hunter2" not in shown.output


def test_help_teaches_with_examples() -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    assert "mirrorstack import mm2.properties" in shown.stdout
