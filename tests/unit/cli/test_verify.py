"""`mirrorstack verify`, as far as it gets without Kafka: what is mistyped is told at once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from mirrorstack.cli.main import main

CLUSTERS = {"east": {"sandbox": "none-such"}, "west": {"sandbox": "none-such"}}
FLOWS = [{"from": "east", "to": "west", "topics": ["orders"]}]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--conf", "spark.executor.memory"], "--conf spark.executor.memory has no value."),
        (["--conf", "spark.executor.memory="], "--conf spark.executor.memory has no value."),
        (["--conf", "executor.memory=4g"], "--conf executor.memory: Spark settings begin with"),
        (["--conf", "spark.x.password=4g"], "--conf spark.x.password: looks like a secret"),
        (["--conf", "=4g"], "--conf =4g has no key."),
        (["--conf", ""], "it is empty; give a value, or leave the option out."),
        (["--report", ""], "it is empty"),
        (["--master", " "], "it is empty"),
        (["--stack", ""], "it is empty"),
        (["--wait", "-1"], "-1.0 is not in the range"),
        (["--wait", "inf"], "inf is no number of seconds"),
        (["--rpo", "nan"], "nan is no number of seconds"),
        (["--rpo", "soon"], "'soon' is not a valid float"),
        (["--report", "/dev/null/below"], "cannot be written to /dev/null/below: Not a directory."),
    ],
)
def test_a_mistyped_option_is_one_message_and_exit_2(
    words: list[str], told: str, tmp_path: Path
) -> None:
    file = tmp_path / "Pulumi.dr.yaml"
    config = {"mirrorstack:clusters": CLUSTERS, "mirrorstack:flows": FLOWS}
    file.write_text(yaml.safe_dump({"config": config}))

    ended = CliRunner().invoke(main, ["verify", "--stack-file", str(file), *words])

    assert ended.exit_code == 2
    assert told in ended.stderr
    assert "password=4g" not in ended.stderr
