"""Every rule by itself, and through the engine."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER
from mirrorstack.rules import connector_config
from policies.pack import RULES
from tests.policies.case import Case
from tests.policies.cases import CASES
from tests.policies.conftest import preview
from tests.policies.harness import (
    UNKNOWN,
    connector,
    remediated,
    violations_of,
    without,
    worker,
)
from tests.pulumi_project import PulumiProject

# These are tested in files of their own.
ELSEWHERE = {
    "no-replication-cycles",
    "no-connector-cycles",
    "writable-topics",
    "secret-provider-passwords",
    "secret-worker-passwords",
    "intended-connector-removal",
    "intended-topic-deletion",
    "replay-is-announced",
    "no-unused-intents",
}

each = pytest.mark.parametrize("case", CASES, ids=str)


@each
def test_a_stack_that_complies_passes(case: Case) -> None:
    assert violations_of(case.rule, *case.right) == []


@each
def test_a_violation_says_what_is_wrong_and_how_to_fix_it(case: Case) -> None:
    (message, *_) = violations_of(case.rule, *case.wrong)

    assert case.says in message
    assert "\nfix: " in message


@each
def test_an_absent_key_has_its_default(case: Case) -> None:
    messages = violations_of(case.rule, *without(case.absent, *case.wrong))

    assert (case.absent_says is None) == (messages == []), messages
    assert all(str(case.absent_says) in message for message in messages[:1])


@each
def test_a_value_that_is_not_known_yet_is_not_guessed(case: Case) -> None:
    assert violations_of(case.rule, *case.unknown) == ["unknown"]


def test_every_rule_has_a_case_and_an_id_of_its_own() -> None:
    ids = [rule.id for rule in RULES]

    assert {case.rule for case in CASES} | ELSEWHERE == set(ids)
    assert len(ids) == len(set(ids))


def test_a_flow_without_a_heartbeat_connector_is_reported() -> None:
    (message,) = violations_of("emit-heartbeats", connector(), connector("Checkpoint"))

    assert "Connector east-to-west-source has no heartbeat connector beside it" in message


def test_a_heartbeat_connector_of_another_cluster_is_reported() -> None:
    elsewhere = connector("Heartbeat", target_cluster_bootstrap_servers="south:9093")
    (worker_s,) = violations_of("workers-on-target-cluster", connector(), elsewhere, worker())
    (flow_s,) = violations_of("consistent-connectors", connector(), elsewhere)

    assert "Connector east-to-west-heartbeat: target.cluster.bootstrap.servers is" in worker_s
    assert "'south:9093' for east-to-west-heartbeat and 'west:9093'" in flow_s


def test_a_heartbeat_connector_with_another_alias_is_reported() -> None:
    renamed = connector("Heartbeat", target_cluster_alias="south")
    (message,) = violations_of("consistent-connectors", connector(), renamed)

    assert "one flow has two aliases for its target" in message


def test_converters_are_corrected_and_other_keys_are_left() -> None:
    corrected = remediated("byte-array-converters", connector(header_converter=None))

    assert corrected["config"]["header.converter"] == BYTE_ARRAY_CONVERTER
    assert corrected["config"]["topics"] == "orders"
    assert remediated("byte-array-converters", connector()) is None


def test_connectors_that_are_not_mirror_maker_s_are_ignored() -> None:
    other = connector(connector_class="io.example.Sink", header_converter=None)

    assert remediated("byte-array-converters", other) is None
    for rule in connector_config.RULES:
        assert violations_of(rule.id, other, worker()) == []


def test_an_unknown_value_of_one_connector_does_not_hide_a_violation_of_another() -> None:
    unknown = connector(target_cluster_bootstrap_servers=UNKNOWN)
    elsewhere = worker(bootstrap_servers="south:9093")

    messages = violations_of("workers-on-target-cluster", unknown, connector(), elsewhere)

    assert len(messages) == 2
    assert messages[-1] == "unknown"


def test_through_the_engine_every_rule_reports_its_violation(project: PulumiProject) -> None:
    said = preview(project, *(case.wrong for case in CASES))

    for case in CASES:
        assert case.rule in said, said
        # The remediated one is corrected before it is checked.
        assert case.says in said or case.rule == "byte-array-converters", said


def test_through_the_engine_a_compliant_stack_passes(project: PulumiProject) -> None:
    said = preview(project, *(case.right for case in CASES), fails=False)

    assert "mirrorstack@v0.1.0 (local:" in said


def test_through_the_engine_an_unknown_value_is_reported_and_stops_nothing(
    project: PulumiProject,
) -> None:
    said = preview(project, [connector(topics="UNKNOWN")], fails=False)

    assert "can't run policy 'no-connector-cycles'" in said
