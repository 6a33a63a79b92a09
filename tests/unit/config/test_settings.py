"""A stack file becomes settings, or one message that helps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mirrorstack.config.settings import parse
from mirrorstack.findings import UserError

ROOT = Path(__file__).parents[3]
WHERE = "stacks/Pulumi.test.yaml"


def stack(**changes: Any) -> dict[str, Any]:
    return {
        "clusters": {"east": {"sandbox": "default"}, "west": {"sandbox": "default"}},
        "flows": [{"from": "east", "to": "west", "topics": ["orders"]}],
        **changes,
    }


def message(**changes: Any) -> str:
    with pytest.raises(UserError) as raised:
        parse(stack(**changes), WHERE)
    return str(raised.value)


def test_a_flow_is_named_by_its_ends() -> None:
    (flow,) = parse(stack(), WHERE).flows

    assert flow.name == "east-to-west"
    assert flow.topics == ("orders",)


def test_settings_cannot_be_changed_after_parsing() -> None:
    settings = parse(stack(), WHERE)

    with pytest.raises(ValueError, match="frozen"):
        settings.flows[0].topics = ()  # type: ignore[misc]


def test_the_template_of_the_local_stack_is_valid() -> None:
    template = yaml.safe_load((ROOT / "stacks" / "local.template.yaml").read_text())
    keys = {key.removeprefix("mirrorstack:"): value for key, value in template["config"].items()}

    assert parse(keys, WHERE).flows[0].name == "east-to-west"


def test_an_unknown_key_is_refused_with_the_key_that_was_meant() -> None:
    flow = {"from": "east", "to": "west", "topic": ["orders"]}

    assert "did you mean `topics`?" in message(flows=[flow | {"topics": ["orders"]}])


def test_an_unknown_key_that_resembles_none_lists_the_known_ones() -> None:
    said = message(clusters={"east": {"sandbox": "a", "zzz": 1}, "west": {"sandbox": "a"}})

    assert "mirrorstack:clusters.east.zzz" in said
    assert "known keys here: sandbox, cluster, bootstrap-servers, security" in said


def test_a_missing_key_is_named() -> None:
    assert "mirrorstack:flows.0.topics is missing" in message(
        flows=[{"from": "east", "to": "west"}]
    )


def test_a_wrong_value_is_named_with_the_file_and_the_key() -> None:
    flow = {"from": "east", "to": "west", "topics": ["or(ders"]}

    said = message(flows=[flow])

    assert WHERE in said
    assert "flows.0.topics.0" in said
    assert "'or(ders': Java cannot read this pattern: a group is not closed with )" in said


def test_a_flow_to_a_cluster_that_is_not_declared_is_refused() -> None:
    said = message(flows=[{"from": "east", "to": "north", "topics": ["orders"]}])

    assert "`to: north` names no cluster; there are east, west" in said


def test_a_flow_onto_itself_is_refused() -> None:
    assert "copies onto itself" in message(
        flows=[{"from": "east", "to": "east", "topics": ["orders"]}]
    )


@pytest.mark.parametrize("alias", ["ea.st", "ea st", ""])
def test_an_alias_that_would_confuse_topic_names_is_refused(alias: str) -> None:
    clusters = {alias: {"sandbox": "a"}, "west": {"sandbox": "a"}}

    assert "may hold only letters, digits, _ and -" in message(clusters=clusters)


def test_a_pattern_with_a_comma_is_refused_because_mirror_maker_would_split_it() -> None:
    flow = {"from": "east", "to": "west", "topics": ["a{1,2}"]}

    assert "splits its lists at every comma" in message(flows=[flow])


def test_a_nested_unknown_key_is_refused_with_the_key_that_was_meant() -> None:
    flow = {"from": "east", "to": "west", "topics": ["orders"], "override": {"sorce": {}}}

    assert "did you mean `source`?" in message(flows=[flow])


def test_nothing_is_written_to_a_read_only_cluster() -> None:
    clusters = {"east": {"sandbox": "a", "read-only": True}, "west": {"sandbox": "a"}}
    there = {"from": "west", "to": "east", "topics": ["orders"]}
    syncs = {"from": "east", "to": "west", "topics": ["orders"], "offset-syncs": "source"}

    assert "writes to east, which is `read-only: true`" in message(clusters=clusters, flows=[there])
    assert "would write its offset-syncs topic there" in message(clusters=clusters, flows=[syncs])


def test_configs_to_keep_in_step_are_named_and_not_the_brokers_own() -> None:
    def said(name: str) -> str:
        return message(flows=[{**stack()["flows"][0], "sync-configs": [name]}])

    assert "belongs to the brokers of one cluster" in said("min.insync.replicas")
    assert "'retention.msec': topics have no such config; did you mean retention.ms" in said(
        "retention.msec"
    )


def test_values_of_overrides_may_be_written_as_numbers_and_words() -> None:
    flow = {**stack()["flows"][0], "override": {"source": {"tasks.max": 3, "enabled": True}}}

    assert parse(stack(flows=[flow]), WHERE).flows[0].override.source == {
        "tasks.max": "3",
        "enabled": "true",
    }


@pytest.mark.parametrize("alias", ["wset", "east"])
def test_workers_where_no_flow_leads_are_refused(alias: str) -> None:
    said = message(workers={alias: {"count": 2}})

    assert f"mirrorstack:workers.{alias}: no flow leads to {alias}" in said
    assert "name a target: west" in said


def test_two_flows_between_the_same_clusters_are_refused() -> None:
    flow = {"from": "east", "to": "west", "topics": ["orders"]}

    assert "there are 2 flows east-to-west" in message(flows=[flow, flow])


def test_a_cluster_with_a_name_of_its_own_says_which_of_the_sandbox_s_it_is() -> None:
    clusters = {"north": {"sandbox": "a"}, "west": {"sandbox": "a"}}

    assert "say which one it is: `cluster: east`" in message(clusters=clusters)


def test_a_target_and_a_source_with_offset_syncs_must_be_administered() -> None:
    def stacked(alias: str, **more: Any) -> str:
        clusters = {"east": {"sandbox": "a"}, "west": {"sandbox": "a"}}
        clusters[alias]["administer"] = False  # type: ignore[assignment]
        return message(clusters=clusters, flows=[{**stack()["flows"][0], **more}])

    assert "needs topics on west, which is `administer: false`" in stacked("west")
    assert "nobody would create its offset-syncs topic" in stacked(
        "east", **{"offset-syncs": "source"}
    )


def test_a_mistyped_key_is_named_rather_than_the_one_that_is_then_missing() -> None:
    flow = {"from": "east", "to": "west", "topcis": ["orders"]}

    assert "did you mean `topics`?" in message(flows=[flow])


def test_rules_are_said_in_the_words_of_stack_files() -> None:
    flow = {"from": "east", "to": "west", "topics": "orders"}

    assert "it must be a list, such as [orders, clicks]" in message(flows=[flow])
    assert "it must not be empty" in message(flows=[])


@pytest.mark.parametrize(
    ("key", "value", "rule", "fix"),
    [
        ("naming", "prefix", "'prefix': it must be prefixed or identity.", "`prefixed`?"),
        ("naming", "Identity", "it must be prefixed or identity.", "did you mean `identity`?"),
        ("naming", 3, "3: it must be prefixed or identity.", "docs/stack-file.md"),
        ("state", "pause", "it must be running, paused or stopped.", "did you mean `paused`?"),
        ("offset-syncs", "sorce", "it must be source or target.", "did you mean `source`?"),
        ("tasks", 0, "0: it must be 1 or more.", "docs/stack-file.md"),
        ("tasks", 5000, "it must be 1000 or less.", "docs/stack-file.md"),
        ("tasks", 1.5, "it must be a whole number.", "docs/stack-file.md"),
        ("from", "e" * 101, "it must have at most 100 characters.", "docs/stack-file.md"),
    ],
)
def test_a_value_that_is_not_taken_is_told_with_those_that_are(
    key: str, value: object, rule: str, fix: str
) -> None:
    said = message(flows=[{**stack()["flows"][0], key: value}])

    assert f"mirrorstack:flows.0.{key} is " in said
    assert rule in said
    assert fix in said.partition("fix: ")[2]


def test_a_number_that_is_none_is_told_so() -> None:
    assert "'soon': it must be a number." in message(**{"smoke-test": {"wait-seconds": "soon"}})
    endless = {"smoke-test": {"wait-seconds": float("inf")}}
    assert (
        "mirrorstack:smoke-test.wait-seconds is inf: it must be a number that has an end."
        in message(**endless)
    )


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("executor.memory", "Spark's settings begin with spark., as in spark.executor.memory."),
        ("spark.master", "it has a word of its own: master."),
        ("spark.sql.ansi.enabled", "the comparison relies on its own value."),
        ("spark.authenticate.secret", "it looks like a secret"),
    ],
)
def test_settings_of_spark_s_that_are_not_the_stack_s_to_choose_are_told(
    name: str, rule: str
) -> None:
    said = message(**{"smoke-test": {"spark": {name: "a value"}}})

    assert f"mirrorstack:smoke-test.spark.{name} is '{name}': {rule}" in said
    assert "a value" not in said


def test_numbers_among_spark_s_settings_are_texts_as_spark_reads_them() -> None:
    declared = stack(**{"smoke-test": {"spark": {"spark.executor.cores": 2}}})

    assert parse(declared, "the test").comparison.spark == {"spark.executor.cores": "2"}
