"""`mirrorstack lint` as a person, a program and a code-scanning service meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mirrorstack.cli.main import main
from mirrorstack.rules.registry import TITLES
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


def test_nothing_found_is_said_and_exits_0(good: str) -> None:
    shown = run(good)
    assert (shown.exit_code, shown.stdout) == (0, "no findings in 1 file\n")


def test_what_is_found_has_file_line_rule_and_way_out_and_exits_1(good: str, bad: str) -> None:
    shown = run(bad, good)
    assert shown.exit_code == 1
    first, fix, *_, summary = shown.stdout.splitlines()
    assert first.startswith(f"{bad}:5: error: a->b.topics.blacklist ended with Kafka 4.0")
    assert first.endswith("[removed-key]")
    assert fix.startswith("  fix: write `topics.exclude`")
    assert summary == "1 error and 1 warning in 2 files"


def test_a_file_that_cannot_be_read_is_one_message_and_exits_2(bad: str, tmp_path: Path) -> None:
    shown = run(str(tmp_path / "none.properties"), bad)
    assert shown.exit_code == 2
    assert shown.stderr.startswith("error: ")
    assert "none.properties: cannot be read: No such file" in shown.stderr
    assert "fix: " in shown.stderr
    assert "topics.blacklist" in shown.stdout, "the others are judged all the same"


def test_json_for_programs(bad: str) -> None:
    shown = run("--format", "json", bad)
    assert shown.exit_code == 1
    told = json.loads(shown.stdout)
    assert told["files"] == [bad]
    assert [(one["line"], one["rule"], one["severity"]) for one in told["findings"]] == [
        (5, "removed-key", "error"),
        (6, "trailing-blank", "warning"),
    ]


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_nothing_found_is_a_document_too(good: str, form: str) -> None:
    shown = run("--format", form, good)
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)


def test_a_file_that_does_not_tell_what_it_is_can_be_told(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text("bootstrap.servers=b:1\n")
    asked = run(str(file))
    assert asked.exit_code == 2
    assert "--as worker" in asked.stderr
    assert "group.id is absent" in run("--as", "worker", str(file)).stdout


def test_help_teaches_with_examples() -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    assert "mirrorstack lint mm2.properties" in shown.stdout


def test_without_a_file_it_is_a_usage_error() -> None:
    assert run().exit_code == 2


def test_no_secret_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "mm2.properties"
    file.write_text(
        f"{GOOD}a.ssl.keystore.pasword=hunter2\na.ssl.key.password=hunter2 # x\n"
        "a.sasl.jaas.config=hunter2 # x\na->b.ssl.key.passwords=hunter2\n"
    )
    for form in ("text", "json", "sarif"):
        assert "hunter2" not in run("--format", form, str(file)).output


def test_the_page_tells_every_rule_in_the_same_words() -> None:
    page = (ROOT / "docs" / "lint.md").read_text()
    for rule, title in TITLES.items():
        assert f"| `{rule}` | {title} |" in page


def test_the_stack_files_of_this_repository_pass() -> None:
    templates = [str(file) for file in (ROOT / "stacks").glob("*.template.yaml")]
    assert run(*templates).exit_code == 0
