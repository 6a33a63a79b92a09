"""Whether a replication policy of one's own does what the stack file says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.mm2.name_templates import NameTemplate
from mirrorstack.planning.checks import policy_classes
from mirrorstack.planning.checks.policy_classes import policy_class_findings
from mirrorstack.planning.plan import plan
from mirrorstack.runtimes.policy_answers import PolicyAnswers, PolicyQuestion, TopicAnswer
from tests.unit.planning.fake_clusters import holding, stack_settings
from tests.unit.planning.test_policy_jars import jar

TOPICS = ("orders", "clicks")


def answer(question: PolicyQuestion, template: str) -> PolicyAnswers:
    """As a class answers that gives the names of a template, and reads them."""
    names = NameTemplate(template)
    return PolicyAnswers(
        checkpoints_topic=f"{question.source}.checkpoints.internal",
        offset_syncs_topics={
            "source": f"mm2-offset-syncs.{question.target}.internal",
            "target": f"mm2-offset-syncs.{question.source}.internal",
        },
        heartbeats_topic="heartbeats",
        topics={
            topic: TopicAnswer(
                names.apply(question.source, topic), question.source, topic, False, False
            )
            for topic in question.topics
        },
    )


class Asked:
    """Answers in the place of Java."""

    def __init__(self, template: str) -> None:
        self.template = template
        self.questions: list[PolicyQuestion] = []
        self.change: Callable[[PolicyAnswers], PolicyAnswers] = lambda answers: answers

    def __call__(self, _kafka: object, _jars: object, question: PolicyQuestion) -> PolicyAnswers:
        self.questions.append(question)
        return self.change(answer(question, self.template))

    def change_topics(self, **changes: Any) -> None:
        self.change = lambda answers: replace(
            answers,
            topics={name: replace(each, **changes) for name, each in answers.topics.items()},
        )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    asked = Asked("{source}_{topic}")
    monkeypatch.setattr(policy_classes, "ask_policy", asked)
    monkeypatch.setattr(policy_classes, "installed_kafka", lambda: None)
    return asked


def found(
    directory: Path, name: str = "{source}_{topic}", *, both_ways: bool = False, **more: Any
) -> list[Finding]:
    own = {"class": "com.example.Own", "jar": str(jar(directory / "own.jar")), "name": name}
    there = {"from": "east", "to": "west", "topics": [".*"], "naming": "custom", "policy": own}
    back = {**there, "from": "west", "to": "east"}
    settings = stack_settings(there | more, *([back] if both_ways else []))
    clusters = {"east": holding(*TOPICS), "west": holding(*TOPICS)}
    return list(policy_class_findings(settings, plan(settings, clusters), clusters, {}))


def test_a_class_that_gives_the_names_of_the_template_is_accepted(
    tmp_path: Path, asked: Asked
) -> None:
    assert found(tmp_path) == []
    (question,) = asked.questions
    assert question.topics == tuple(sorted(TOPICS))
    assert question.config["replication.policy.separator"] == "."


def test_a_class_that_cannot_be_used_is_an_error_of_its_flow(tmp_path: Path, asked: Asked) -> None:
    def fail(_answers: PolicyAnswers) -> PolicyAnswers:
        raise UserError("the class cannot be used.", "correct it")

    asked.change = fail

    with pytest.raises(UserError, match="Flow east-to-west: the class cannot be used") as raised:
        found(tmp_path)

    assert raised.value.findings[0].path == ("flows", 0, "policy", "class")


def test_no_class_is_asked_without_an_own_policy(asked: Asked) -> None:
    settings, clusters = stack_settings(), {"east": holding("orders"), "west": holding()}

    assert list(policy_class_findings(settings, plan(settings, clusters), clusters, {})) == []
    assert asked.questions == []


def test_another_name_is_one_error_with_both_names_and_a_fix(tmp_path: Path, asked: Asked) -> None:
    asked.template = "{source}-{topic}"

    (finding,) = found(tmp_path)

    assert "com.example.Own names the topic clicks east-clicks, and 1 more" in finding.message
    assert "by policy.name, {source}_{topic}, it is east_clicks" in finding.message
    assert finding.fix.startswith("set policy.name to the names that the class gives")
    assert finding.path == ("flows", 0, "policy", "name")
    assert finding.severity is Severity.ERROR


def test_the_overrides_of_the_flow_reach_the_class(tmp_path: Path, asked: Asked) -> None:
    found(tmp_path, override={"source": {"own.key": "1"}})

    assert asked.questions[0].config["own.key"] == "1"


@pytest.mark.parametrize(
    ("changes", "method"),
    [
        ({"checkpoints_topic": "checkpoints"}, "checkpointsTopic"),
        ({"offset_syncs_topics": {"source": "x", "target": "x"}}, "offsetSyncsTopic"),
        ({"heartbeats_topic": "beats"}, "heartbeatsTopic"),
    ],
)
def test_other_names_of_internal_topics_are_an_error(
    tmp_path: Path, asked: Asked, changes: dict[str, Any], method: str
) -> None:
    asked.change = lambda answers: replace(answers, **changes)

    (finding,) = found(tmp_path)

    assert f"{method} of com.example.Own answers" in finding.message
    assert finding.severity is Severity.ERROR


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"is_internal": True}, "takes the topic clicks for one that is internal"),
        ({"is_cycle": True}, "takes the topic clicks for one that is from west"),
    ],
)
def test_a_topic_that_mirrormaker_would_skip_is_an_error(
    tmp_path: Path, asked: Asked, changes: dict[str, Any], said: str
) -> None:
    asked.change_topics(**changes)

    assert said in found(tmp_path)[0].message


def test_a_class_that_reads_no_source_is_a_warning(tmp_path: Path, asked: Asked) -> None:
    asked.change_topics(source=None, upstream_topic=None)

    (finding,) = found(tmp_path)

    assert finding.severity is Severity.WARNING
    assert "topicSource answers null" in finding.message
    assert "adds no partitions" in finding.message


def test_a_class_that_reads_no_source_counts_as_identity_for_cycles(
    tmp_path: Path, asked: Asked
) -> None:
    assert found(tmp_path, both_ways=True) == []
    asked.change_topics(source=None, upstream_topic=None)

    findings = found(tmp_path, both_ways=True)

    errors = [each for each in findings if each.severity is Severity.ERROR]
    assert [each.rule for each in errors] == ["no-replication-cycles"]
    assert "The names that com.example.Own gives do not show" in errors[0].message


def test_where_no_topic_matches_yet_any_name_is_asked(tmp_path: Path, asked: Asked) -> None:
    own = {"class": "com.example.Own", "jar": str(jar(tmp_path / "own.jar")), "name": "{topic}"}
    there = {"from": "east", "to": "west", "topics": ["orders"], "naming": "custom", "policy": own}
    settings, clusters = stack_settings(there), {"east": holding("orders"), "west": holding()}
    planned = plan(settings, clusters)
    empty = replace(planned, flows=tuple(replace(each, topics=()) for each in planned.flows))
    asked.template = "{topic}"

    assert list(policy_class_findings(settings, empty, {**clusters, "east": holding()}, {})) == []
    assert asked.questions[0].topics == ("orders",)
