"""Commands and options that Kafka no longer has."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Severity
from mirrorstack.rules.keys.commands import command_findings
from mirrorstack.rules.keys.rules import KeyRule


@pytest.mark.parametrize(
    ("command", "rule", "path"),
    [
        ("kafka-mirror-maker.sh --num.streams 2", KeyRule.REMOVED_COMMAND, "kafka-mirror-maker.sh"),
        (
            "docker exec k /opt/bin/zookeeper-shell.sh z:2181",
            KeyRule.REMOVED_COMMAND,
            "zookeeper-shell.sh",
        ),
        (
            "kafka-run-class.sh kafka.tools.MirrorMaker",
            KeyRule.REMOVED_COMMAND,
            "kafka.tools.MirrorMaker",
        ),
        ("kafka-topics.sh --zookeeper=z:2181 --list", KeyRule.REMOVED_OPTION, "--zookeeper"),
        ("kafka-console-consumer --whitelist a", KeyRule.REMOVED_OPTION, "--whitelist"),
    ],
)
def test_a_removed_command_or_option_is_reported(command: str, rule: KeyRule, path: str) -> None:
    (finding,) = command_findings(command.split())

    assert (finding.rule, finding.path) == (rule, (path,))


@pytest.mark.parametrize(
    "command",
    [
        "kafka-topics.sh --bootstrap-server b:9092 --list",
        "kafka-console-producer.sh --include a",
        "echo kafka-topics --zookeeper",
        "./kafka-deploy-all.sh",
    ],
)
def test_valid_and_unrelated_commands_pass(command: str) -> None:
    assert list(command_findings(command.split())) == []


def test_a_mistyped_command_is_a_warning() -> None:
    (finding,) = command_findings(["kafka-topic.sh"])

    assert finding.severity is Severity.WARNING
    assert finding.fix == "did you mean `kafka-topics.sh`?"
