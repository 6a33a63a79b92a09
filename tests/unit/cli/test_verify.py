"""`mirrorstack verify`, as far as it gets without Kafka: mistakes are errors at once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from mirrorstack.cli.main import main

CLUSTERS = {"east": {"sandbox": "none-such"}, "west": {"sandbox": "none-such"}}
FLOWS = [{"from": "east", "to": "west", "topics": ["orders"]}]


def verify(file: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["verify", "--stack-file", str(file), *options])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--conf", "spark.executor.memory"], "--conf spark.executor.memory has no value"),
        (["--conf", "spark.executor.memory="], "--conf spark.executor.memory has no value"),
        (["--conf", "executor.memory=4g"], "--conf executor.memory: Spark settings begin with"),
        (["--conf", "spark.x.password=4g"], "--conf spark.x.password: looks like a secret"),
        (["--conf", "=4g"], "--conf =4g has no key"),
        (["--conf", ""], "the value is empty; set a value, or omit the option"),
        (["--report", ""], "the value is empty"),
        (["--master", " "], "the value is empty"),
        (["--stack", ""], "the value is empty"),
        (["--wait", "-1"], "-1.0 is not in the range"),
        (["--wait", "inf"], "inf is not a finite number of seconds"),
        (["--rpo", "nan"], "nan is not a finite number of seconds"),
        (["--rpo", "soon"], "'soon' is not a valid float"),
        (["--report", "/dev/null"], "fix: name a directory with --report"),
        (["--report", "/dev/null/below"], "/dev/null/below: it is a file, or below a file"),
    ],
)
def test_an_invalid_option_is_one_error_and_exit_status_2(
    options: list[str], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "Pulumi.dr.yaml"
    config = {"mirrorstack:clusters": CLUSTERS, "mirrorstack:flows": FLOWS}
    file.write_text(yaml.safe_dump({"config": config}))

    ended = verify(file, *options)

    assert ended.exit_code == 2
    assert message in ended.stderr
    assert "password=4g" not in ended.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"- a\n- b\n", "must be a mapping"),
        (b"config:\n  a: \xff\n", "not UTF-8"),
        (b"config: [", "not valid YAML"),
        (b"config: {}", "declares no flows"),
        (b"config: {mirrorstack:flows: 1}", "flows: must be a list"),
    ],
)
def test_a_bad_stack_file_is_an_error_with_a_fix(
    content: bytes, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "Pulumi.dr.yaml"
    file.write_bytes(content)

    ended = verify(file)

    assert ended.exit_code == 2
    assert ended.stderr.startswith(f"error: {file}")
    assert message in ended.stderr
    assert "fix: " in ended.stderr
    assert not ended.exception or isinstance(ended.exception, SystemExit)


def test_a_directory_is_an_error_with_a_fix(tmp_path: Path) -> None:
    ended = verify(tmp_path)

    assert ended.exit_code == 2
    assert f"error: {tmp_path}: cannot be read: Is a directory\nfix: " in ended.stderr


def test_a_missing_stack_lists_the_stacks_that_exist(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.test.yaml").touch()

    ended = verify(tmp_path / "Pulumi.dr.yaml")

    assert ended.exit_code == 2
    assert "no such stack file\nfix: use one of the stacks: test" in ended.stderr


def test_without_a_stack_the_report_is_in_the_directory_of_the_file_s_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path / "home"))
    file = tmp_path / "Pulumi.dr.yaml"
    config = {"mirrorstack:clusters": CLUSTERS, "mirrorstack:flows": FLOWS}
    file.write_text(yaml.safe_dump({"config": config}))

    verify(file)
    verify(file, "-s", "other")

    assert {each.name for each in (tmp_path / "home" / "verify").iterdir()} == {"dr", "other"}


def test_the_help_tells_inconclusive_from_an_error() -> None:
    shown = CliRunner().invoke(main, ["verify", "--help"]).stdout

    assert 'the verdict "inconclusive"; after an error, nothing' in " ".join(shown.split())
