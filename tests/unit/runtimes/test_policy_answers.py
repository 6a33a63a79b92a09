"""What a replication policy answers; a script stands for Java."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes import policy_answers
from mirrorstack.runtimes.policy_answers import PolicyQuestion, TopicAnswer, ask_policy

QUESTION = PolicyQuestion("com.example.Own", {"key": "value"}, "east", "west", ("orders",))
ANSWERS = {
    "checkpoints_topic": "east.checkpoints.internal",
    "offset_syncs_topics": {"source": "a", "target": "b"},
    "heartbeats_topic": "heartbeats",
    "topics": {
        "orders": {
            "target_topic": "east_orders",
            "source": "east",
            "upstream_topic": "orders",
            "is_internal": False,
            "is_cycle": False,
        }
    },
}


def java(directory: Path, script: str) -> KafkaInstallation:
    program = directory / "java"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    return KafkaInstallation(java=program, jars=Path("/jars"))


def answering(directory: Path, answers: Any) -> KafkaInstallation:
    return java(directory, f"cat > {directory}/asked; printf %s {shlex.quote(json.dumps(answers))}")


def test_the_class_is_asked_with_its_config_and_answers_by_topic(tmp_path: Path) -> None:
    found = ask_policy(answering(tmp_path, ANSWERS), [], QUESTION)

    assert found.topics["orders"] == TopicAnswer("east_orders", "east", "orders", False, False)
    asked = json.loads((tmp_path / "asked").read_text())
    assert asked["class"] == "com.example.Own"
    assert asked["config"] == {"key": "value"}


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ('printf \'{"failure": "there is no such class"}\'', "there is no such class"),
        ("echo first >&2; echo 'Error: no compiler' >&2; exit 1", "exit code 1: Error: no comp"),
        ("exit 0", "Java ended with exit code 0"),
    ],
)
def test_a_class_that_cannot_be_asked_is_an_error(tmp_path: Path, script: str, reason: str) -> None:
    with pytest.raises(UserError, match=r"com\.example\.Own cannot be used") as raised:
        ask_policy(java(tmp_path, script), [], QUESTION)

    assert reason in raised.value.message
    assert raised.value.fix


def test_a_class_that_never_answers_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_answers, "SECONDS", 0.1)

    with pytest.raises(UserError, match="no answer within"):
        ask_policy(java(tmp_path, "exec sleep 60"), [], QUESTION)
