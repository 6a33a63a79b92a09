"""Every rule, judged alone."""

from __future__ import annotations

import pytest
from mirrorstack.rules.declarations import JUDGEMENTS

from mirrorstack.rules.registry import ABOUT
from policies.connectors import CONNECTOR_RULES
from policies.pack import RULES
from policies.rules import DeclaredRule
from tests.policies.asking import (
    BYTE_ARRAY_CONVERTER,
    UNKNOWN,
    asked,
    connector,
    remedied,
    without,
    worker,
)
from tests.policies.cases import CASES, Case
from tests.policies.conftest import preview
from tests.pulumi_project import PulumiProject

# These have files of their own.
ELSEWHERE = {
    "flows-form-no-ring",
    "connectors-form-no-ring",
    "topic-can-be-written",
    "provider-passwords-are-secret",
    "worker-passwords-are-secret",
    "connectors-leave-on-purpose",
    "copies-are-deleted-on-purpose",
    "what-is-sent-again-is-told",
    "intents-are-taken-off",
}

each = pytest.mark.parametrize("case", CASES, ids=str)


@each
def test_a_stack_that_keeps_the_rule_passes(case: Case) -> None:
    assert asked(case.rule, *case.right) == []


@each
def test_a_stack_that_breaks_the_rule_is_told_what_why_and_the_way_out(case: Case) -> None:
    (message, *_) = asked(case.rule, *case.wrong)

    assert case.says in message
    assert "\nfix: " in message


@each
def test_an_absent_key_is_judged_by_its_default(case: Case) -> None:
    messages = asked(case.rule, *without(case.absent, *case.wrong))

    assert (case.absent_says is None) == (messages == []), messages
    assert all(str(case.absent_says) in message for message in messages[:1])


@each
def test_what_is_unknown_before_the_deployment_is_not_guessed(case: Case) -> None:
    assert asked(case.rule, *case.unknown) == ["unknown"]


def test_every_rule_has_a_case_and_an_id_of_its_own() -> None:
    ids = [rule.id for rule in RULES]

    assert {case.rule for case in CASES} | ELSEWHERE == set(ids)
    assert len(ids) == len(set(ids))


def test_the_linter_judges_stack_files_by_the_same_rules() -> None:
    declared = {rule.id: rule.judge for rule in RULES if isinstance(rule, DeclaredRule)}

    assert declared == {one.rule.value: one.judge for one in JUDGEMENTS}


def test_where_linter_and_pack_have_a_rule_in_common_they_say_the_same_of_it() -> None:
    titles = {rule.id: rule.title for rule in RULES}
    common = {rule.value: about for rule, about in ABOUT.items() if rule.value in titles}

    assert common == {rule: titles[rule] for rule in common}
    assert len(common) == len(JUDGEMENTS) + 8


def test_a_flow_without_a_heartbeat_connector_is_named() -> None:
    (message,) = asked("heartbeats-are-emitted", connector(), connector("Checkpoint"))

    assert "Connector east-to-west-source has no heartbeat connector beside it" in message


def test_a_heartbeat_connector_that_points_at_another_cluster_is_named() -> None:
    elsewhere = connector("Heartbeat", target_cluster_bootstrap_servers="south:9093")
    (worker_s,) = asked("workers-write-to-the-target", connector(), elsewhere, worker())
    (flow_s,) = asked("connectors-of-a-flow-agree", connector(), elsewhere)

    assert "Connector east-to-west-heartbeat: target.cluster.bootstrap.servers is" in worker_s
    assert "'south:9093' for east-to-west-heartbeat and 'west:9093'" in flow_s


def test_a_heartbeat_connector_with_another_alias_is_named() -> None:
    renamed = connector("Heartbeat", target_cluster_alias="south")
    (message,) = asked("connectors-of-a-flow-agree", connector(), renamed)

    assert "one flow has two names for its target" in message


def test_converters_are_put_right_and_all_else_is_left() -> None:
    put_right = remedied("records-keep-their-bytes", connector(header_converter=None))

    assert put_right["config"]["header.converter"] == BYTE_ARRAY_CONVERTER
    assert put_right["config"]["topics"] == "orders"
    assert remedied("records-keep-their-bytes", connector()) is None


def test_connectors_that_are_not_mirror_maker_s_are_left_alone() -> None:
    other = connector(connector_class="io.example.Sink", header_converter=None)

    assert remedied("records-keep-their-bytes", other) is None
    assert [asked(rule.id, other, worker()) for rule in CONNECTOR_RULES] == [[]] * len(
        CONNECTOR_RULES
    )


def test_one_unknown_connector_does_not_hide_what_is_wrong_with_another() -> None:
    unknown = connector(target_cluster_bootstrap_servers=UNKNOWN)
    elsewhere = worker(bootstrap_servers="south:9093")

    messages = asked("workers-write-to-the-target", unknown, connector(), elsewhere)

    assert len(messages) == 2
    assert messages[-1] == "unknown"


def test_through_the_real_engine_every_rule_fires(project: PulumiProject) -> None:
    said = preview(project, *(case.wrong for case in CASES))

    for case in CASES:
        assert case.rule in said, said
        # The remedied ones are put right before they are judged.
        assert case.says in said or case.rule == "records-keep-their-bytes", said


def test_through_the_real_engine_a_right_stack_passes(project: PulumiProject) -> None:
    said = preview(project, *(case.right for case in CASES), fails=False)

    assert "mirrorstack@v0.1.0 (local:" in said


def test_through_the_real_engine_what_is_unknown_is_told_and_stops_nothing(
    project: PulumiProject,
) -> None:
    said = preview(project, [connector(topics="UNKNOWN")], fails=False)

    assert "can't run policy 'connectors-form-no-ring'" in said
