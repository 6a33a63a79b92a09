"""Rules about topics: by themselves, and through the engine."""

from __future__ import annotations

from typing import Any

import pytest

from policies.resources import TOPIC
from tests.policies.conftest import PACK, listed, preview
from tests.policies.harness import UNKNOWN, resource, violations_of
from tests.pulumi_project import PulumiProject


def violations(props: dict[str, Any], kind: str = TOPIC) -> list[str]:
    return violations_of("writable-topics", resource(kind, props))


def topic(factor: int | str | None, **config: str) -> dict[str, Any]:
    named = {
        "name": "east.orders",
        "config": {key.replace("_", "."): config[key] for key in config},
    }
    return named if factor is None else {**named, "replicationFactor": factor}


class TestTopicCanBeWritten:
    def test_enough_replicas_pass(self) -> None:
        assert violations(topic(3, min_insync_replicas="2")) == []

    def test_too_few_replicas_are_refused_with_the_numbers_and_a_fix(self) -> None:
        (message,) = violations(topic(1, min_insync_replicas="2"))

        assert (
            "Topic east.orders: min.insync.replicas is 2 and the replication factor is 1" in message
        )
        assert "lower min.insync.replicas, or raise the replication factor" in message

    @pytest.mark.parametrize(
        "props",
        [
            topic(None, min_insync_replicas="2"),
            topic(1),
            {**topic(1), "config": None},
            {"replicationFactor": 1},
        ],
    )
    def test_an_absent_key_passes(self, props: dict[str, Any]) -> None:
        assert violations(props) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert violations(topic(UNKNOWN, min_insync_replicas="2")) == ["unknown"]

    def test_other_resources_are_ignored(self) -> None:
        assert violations(topic(1, min_insync_replicas="2"), "some:other:Thing") == []

    def test_the_engine_refuses_the_violating_stack_and_deploys_nothing(
        self, project: PulumiProject
    ) -> None:
        unwritable = resource(TOPIC, topic(1, min_insync_replicas="2"), at="west:9093")
        project.configure({"made": listed([unwritable])})

        said = project.up(f"--policy-pack={PACK}", fails=True)

        assert "writable-topics" in said
        assert "min.insync.replicas is 2 and the replication factor is 1" in said
        assert "kafka:index:Topic" not in project.pulumi("stack")

    def test_the_engine_lets_the_compliant_stack_pass(self, project: PulumiProject) -> None:
        fine = resource(TOPIC, topic(2, min_insync_replicas="2"), at="west:9093")

        said = preview(project, [fine], fails=False)

        assert "mirrorstack@v0.1.0 (local:" in said
        assert "writable-topics" not in said
