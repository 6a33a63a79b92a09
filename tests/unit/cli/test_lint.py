"""`mirrorstack lint`: exit status, formats and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mirrorstack.cli.main import main
from tests.unit.toolchain.machine import ROOT

GOOD = "clusters=a,b\na.bootstrap.servers=a:1\nb.bootstrap.servers=b:1\na->b.enabled=true\n"


@pytest.fixture
def good(tmp_path: Path) -> str:
    file = tmp_path / "good.properties"
    file.write_text(GOOD)
    return str(file)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    file = tmp_path / "bad.properties"
    elsewhere = GOOD.replace(":1", ":2")
    file.write_text(f"{elsewhere}a->b.topics.blacklist=secret\nemit.heartbeats.enabled=true \n")
    return str(file)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["lint", *arguments])


def test_no_findings_exit_with_0(good: str) -> None:
    shown = run(good)
    assert (shown.exit_code, shown.stdout) == (0, "no findings in 1 file\n")


def test_findings_have_file_line_rule_and_fix_and_exit_with_1(good: str, bad: str) -> None:
    shown = run(bad, good)
    assert shown.exit_code == 1
    first, fix, *_, summary = shown.stdout.splitlines()
    assert first.startswith(f"{bad}:5: error: a->b.topics.blacklist was removed in Kafka 4.0")
    assert first.endswith("[removed-key]")
    assert fix.startswith("  fix: write `topics.exclude`")
    assert summary == "1 error and 1 warning in 2 files"


def test_an_unreadable_file_is_an_error_and_exits_with_2(bad: str, tmp_path: Path) -> None:
    shown = run(str(tmp_path / "none.properties"), bad)
    assert shown.exit_code == 2
    assert shown.stderr.startswith("error: ")
    assert "none.properties: cannot be read: No such file" in shown.stderr
    assert "fix: " in shown.stderr
    assert "topics.blacklist" in shown.stdout, "the other files are checked all the same"


def test_json_lists_files_and_findings(bad: str) -> None:
    shown = run("--format", "json", bad)
    assert shown.exit_code == 1
    told = json.loads(shown.stdout)
    assert told["files"] == [bad]
    assert [(one["line"], one["rule"], one["severity"]) for one in told["findings"]] == [
        (5, "removed-key", "error"),
        (6, "trailing-whitespace", "warning"),
    ]


def test_json_lists_files_that_cannot_be_read(tmp_path: Path) -> None:
    shown = run("--json", str(tmp_path / "none.json"))
    assert shown.exit_code == 2
    assert json.loads(shown.stdout)["errors"] == [
        {
            "file": str(tmp_path / "none.json"),
            "line": None,
            "message": "cannot be read: No such file or directory",
            "fix": "check the path",
        }
    ]


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_no_findings_are_a_valid_document(good: str, form: str) -> None:
    shown = run("--format", form, good)
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)


def test_the_kind_of_an_ambiguous_file_can_be_given(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text("bootstrap.servers=b:1\n")
    asked = run(str(file))
    assert asked.exit_code == 2
    assert "--as worker" in asked.stderr
    assert "group.id is absent" in run("--as", "worker", str(file)).stdout


def test_no_file_is_a_usage_error() -> None:
    assert run().exit_code == 2


def test_secrets_are_not_printed(tmp_path: Path) -> None:
    file = tmp_path / "mm2.properties"
    file.write_text(
        f"{GOOD}a.ssl.keystore.pasword=hunter2\na.ssl.key.password=hunter2 # x\n"
        "a.sasl.jaas.config=hunter2 # x\na->b.ssl.key.passwords=hunter2\n"
    )
    for form in ("text", "json", "sarif"):
        assert "hunter2" not in run("--format", form, str(file)).output


def test_the_stack_files_of_this_repository_have_no_findings() -> None:
    templates = [str(file) for file in (ROOT / "stacks").glob("*.template.yaml")]
    assert run(*templates).exit_code == 0
