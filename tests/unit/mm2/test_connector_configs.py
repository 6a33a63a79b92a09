"""The configs of a flow's connectors."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import (
    BYTE_ARRAY_CONVERTER,
    ConnectorKind,
    TopicSelection,
    connector_configs,
    connector_name,
    connector_names,
)
from mirrorstack.mm2.profiles import PROFILES, ProfileName
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.rules.keys.connector import connector_key_findings
from tests.unit.mm2.accesses import ACCESSES

CHOICES: dict[str, tuple[Any, ...]] = {
    "naming": ("prefixed", "identity"),
    "separator": (".", "_"),
    "groups": ([], ["billing", "app-.*"]),
    "exclude-groups": ([], ["app-test"]),
    "offset-syncs": ("source", "target"),
    "sync-group-offsets": (True, False),
    "heartbeats": (True, False),
    "exactly-once": (True, False),
    "profile": ("default", "frugal"),
}
VARIANTS = [
    dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())
]


def flow(**changes: Any) -> FlowSettings:
    return FlowSettings.model_validate(
        {"from": "east", "to": "west", "topics": ["orders"], **changes}
    )


def configs(*topics: str, **changes: Any) -> dict[ConnectorKind, dict[str, str]]:
    resolved = ResolvedFlow(flow(**changes), topics or ("orders",))
    made = connector_configs(resolved, ACCESSES[0], ACCESSES[0], 1)
    return {each.kind: each.config for each in made}


@pytest.mark.parametrize("access", ACCESSES, ids=lambda access: access.protocol)
def test_kafka_knows_every_key_of_every_variant_of_a_flow(access: ClientAccess) -> None:
    for variant in VARIANTS:
        resolved = ResolvedFlow(flow(**variant), ("orders", "a.b-c", "heartbeats"))
        for made in connector_configs(resolved, access, access, 1):
            assert connector_key_findings(made.config) == [], variant


def test_connectors_are_named_after_the_flow_and_their_kind() -> None:
    assert connector_name(flow(), ConnectorKind.SOURCE) == "east-to-west-source"
    assert list(connector_names(flow(groups=["billing"]))) == list(ConnectorKind)
    assert list(connector_names(flow(heartbeats=False))) == [ConnectorKind.SOURCE]


def test_records_are_replicated_byte_for_byte() -> None:
    for config in configs(groups=["billing"]).values():
        for part in ("key", "value", "header"):
            assert config[f"{part}.converter"] == BYTE_ARRAY_CONVERTER


def test_topic_names_are_escaped_because_mirror_maker_reads_patterns() -> None:
    assert configs("a.b-c", "orders")[ConnectorKind.SOURCE]["topics"] == r"a\.b-c,orders"


def test_live_patterns_are_left_to_mirror_maker_and_names_are_escaped() -> None:
    live = flow(topics=["pay.v1", "orders-.*"], exclude=["orders-old.*"])
    topics = ("orders-1", "orders-2", "pay.v1", "west.heartbeats")
    selection = TopicSelection.of(ResolvedFlow(live, topics, worker_topics=("own-configs",)))

    assert selection.topics == r"orders-.*,pay\.v1,west\.heartbeats"
    assert selection.excluded.endswith(r"__.*,orders-old.*,own-configs")


def test_pinned_patterns_become_the_names_that_they_match() -> None:
    pinned = flow(topics=["orders-.*"], exclude=["orders-old.*"], discovery="pinned")
    selection = TopicSelection.of(ResolvedFlow(pinned, ("orders-1", "orders-2")))

    assert selection.topics == "orders-1,orders-2"
    assert not selection.excluded.endswith("orders-old.*")


def test_new_topics_and_partitions_are_looked_for_at_the_interval_of_the_flow() -> None:
    key = "refresh.topics.interval.seconds"

    assert configs()[ConnectorKind.SOURCE][key] == "60"
    assert configs(**{"discovery-seconds": 5})[ConnectorKind.SOURCE][key] == "5"


def test_heartbeats_are_replicated_only_if_the_source_has_them() -> None:
    key = "heartbeats.replication.enabled"

    assert configs("orders")[ConnectorKind.SOURCE][key] == "false"
    assert configs("heartbeats")[ConnectorKind.SOURCE][key] == "true"


def test_a_selection_by_pattern_keeps_the_default_excludes() -> None:
    selection = TopicSelection.by_pattern(flow(topics=["orders.*"], exclude=["orders-old"]))

    assert selection.topics == "orders.*"
    assert selection.excluded == r"mm2.*\.internal,.*\.replica,__.*,orders-old"


def test_all_connectors_have_the_separator_and_the_class_of_the_flow() -> None:
    own = {"class": "com.example.Own", "jar": "own.jar", "name": "{topic}"}

    for config in configs(naming="custom", policy=own, separator="-", groups=["g"]).values():
        assert config["replication.policy.class"] == "com.example.Own"
        assert config["replication.policy.separator"] == "-"


def test_heartbeats_that_would_be_mixed_with_the_target_s_are_left_out() -> None:
    own = {"class": "com.example.Own", "jar": "own.jar", "name": "{topic}"}

    selection = TopicSelection.by_pattern(flow(naming="custom", policy=own, topics=[".*"]))

    assert not selection.heartbeats
    assert "heartbeats" in selection.excluded.split(",")


def test_only_the_configs_that_the_flow_syncs_pass_the_filter() -> None:
    synced = configs(**{"sync-configs": ["retention.ms"]})[ConnectorKind.SOURCE]
    excluded = re.compile(synced["config.properties.exclude"])

    assert synced["sync.topic.configs.enabled"] == "true"
    assert not excluded.fullmatch("retention.ms")
    assert excluded.fullmatch("retention.bytes")
    assert configs()[ConnectorKind.SOURCE]["sync.topic.configs.enabled"] == "false"


def test_the_source_connector_has_the_sizes_of_the_profile() -> None:
    for profile in ProfileName:
        source = configs(profile=profile)[ConnectorKind.SOURCE]
        assert PROFILES[profile].as_keys().items() <= source.items()


def test_polls_are_smaller_where_offsets_of_groups_are_translated() -> None:
    key = "consumer.max.poll.records"

    assert configs(groups=["billing"])[ConnectorKind.SOURCE][key] == "2000"
    assert int(configs()[ConnectorKind.SOURCE][key]) > 2000


@pytest.mark.parametrize("profile", list(ProfileName))
def test_a_poll_causes_one_offset_sync_of_each_partition(profile: ProfileName) -> None:
    source = configs(profile=profile, groups=["billing"])[ConnectorKind.SOURCE]

    assert int(source["offset.lag.max"]) >= int(source["consumer.max.poll.records"])


@pytest.mark.parametrize("exactly_once", [True, False])
def test_records_stay_in_order_with_and_without_exactly_once(exactly_once: bool) -> None:
    source = configs(**{"exactly-once": exactly_once})[ConnectorKind.SOURCE]

    assert source["producer.override.enable.idempotence"] == "true"
    assert source["producer.override.max.in.flight.requests.per.connection"] == "5"


def test_overrides_apply_to_their_connector_only() -> None:
    changed = configs(groups=["billing"], override={"source": {"tasks.max": 7}})

    assert changed[ConnectorKind.SOURCE]["tasks.max"] == "7"
    assert changed[ConnectorKind.CHECKPOINT]["tasks.max"] == "2"
