"""A stack file from what ran MirrorMaker before, and what is said about the rest."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import parse
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.importing.discovered_flows import Connector, Findings, in_connectors, in_properties
from mirrorstack.importing.stack import Imported, imported
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.rules.keys.overrides import check_overrides
from tests.unit.rendering.stacks import CHOICES

MM2 = {
    "clusters": "east, west",
    "east.bootstrap.servers": "east-1:9092, east-2:9092",
    "west.bootstrap.servers": "west-1:9092",
    "east->west.enabled": "true",
    "east->west.topics": "orders, clicks-.*",
}
SECURE = {
    "east.security.protocol": "SASL_SSL",
    "east.sasl.mechanism": "SCRAM-SHA-256",
    "east.ssl.truststore.type": "PEM",
    "east.ssl.truststore.location": "/etc/ca.pem",
    "east.sasl.jaas.config": 'ScramLoginModule required username="mm2" password="hunter2";',
}


def from_mm2(**more: str) -> Imported:
    return imported(in_properties({**MM2, **more}), "mm2.properties")


def flow(made: Imported) -> Mapping[str, Any]:
    (only,) = made.values["flows"]
    assert isinstance(only, dict)
    return only


def said(made: Imported) -> str:
    return "\n".join(map(str, made.notes))


class TestMm2Properties:
    def test_clusters_flows_and_defaults_are_as_mirrormaker_would_have_had_them(self) -> None:
        made = from_mm2()

        assert made.values["clusters"] == {
            "east": {
                "bootstrap-servers": ["east-1:9092", "east-2:9092"],
                "security": {"protocol": "PLAINTEXT"},
            },
            "west": {
                "bootstrap-servers": ["west-1:9092"],
                "security": {"protocol": "PLAINTEXT"},
            },
        }
        assert flow(made) == {
            "from": "east",
            "to": "west",
            "topics": ["orders", "clicks-.*"],
            "groups": [".*"],
            "exclude-groups": ["console-consumer-.*", "connect-.*", "__.*"],
            "offset-syncs": "source",
            "sync-group-offsets": False,
            "exactly-once": False,
            "tasks": 1,
        }

    def test_settings_of_the_flow_the_file_and_the_target_s_workers_count(self) -> None:
        made = from_mm2(
            **{
                "tasks.max": "6",
                "replication.policy.class": (
                    "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
                ),
                "east->west.offset-syncs.topic.location": "target",
                "east->west.topics.exclude": r"mm2.*\.internal, .*\.replica, __.*, test-.*",
                "east->west.sync.group.offsets.enabled": "true",
                "east->west.emit.checkpoints.interval.seconds": "10",
                "east->west.emit.heartbeats.enabled": "false",
                "west.exactly.once.source.support": "enabled",
                "replication.factor": "3",
            }
        )

        assert {key: flow(made)[key] for key in ("naming", "tasks", "exclude")} == {
            "naming": "identity",
            "tasks": 6,
            "exclude": ["test-.*"],
        }
        assert flow(made)["checkpoint-seconds"] == 10
        assert flow(made)["heartbeats"] is False
        assert not {"exactly-once", "sync-group-offsets", "offset-syncs"} & flow(made).keys()
        assert made.values["clusters"]["west"]["replication-factor"] == 3

    def test_what_no_setting_stands_for_is_taken_over_for_who_reads_it(self) -> None:
        made = from_mm2(
            **{
                "east.consumer.max.poll.records": "77",
                "east->west.producer.override.batch.size": "1000",
                "refresh.topics.interval.seconds": "30",
                "emit.heartbeats.interval.seconds": "5",
            }
        )

        assert flow(made)["override"] == {
            "source": {
                "refresh.topics.interval.seconds": "30",
                "source.consumer.max.poll.records": "77",
                "producer.override.batch.size": "1000",
            },
            "checkpoint": {
                "source.consumer.max.poll.records": "77",
                "producer.override.batch.size": "1000",
            },
            "heartbeat": {
                "emit.heartbeats.interval.seconds": "5",
                "producer.override.batch.size": "1000",
            },
        }

    def test_what_tuned_the_worker_s_producer_goes_on_tuning_it(self) -> None:
        tuning = {"max.request.size": "10485760", "compression.type": "zstd"}

        made = from_mm2(**{f"west.producer.{key}": value for key, value in tuning.items()})

        own = flow(made)["override"]["source"]
        assert own == {f"producer.override.{key}": value for key, value in tuning.items()}
        check_overrides(parse(made.values, "here"), "here")

    def test_what_a_flow_says_of_its_producer_outweighs_the_cluster_s(self) -> None:
        made = from_mm2(
            **{"west.producer.linger.ms": "5", "east->west.producer.override.linger.ms": "9"}
        )

        assert flow(made)["override"]["source"] == {"producer.override.linger.ms": "9"}

    def test_users_are_taken_over_and_passwords_are_not(self) -> None:
        made = from_mm2(**SECURE)

        assert made.values["clusters"]["east"] == {
            "bootstrap-servers": ["east-1:9092", "east-2:9092"],
            "security": {
                "protocol": "SASL_SSL",
                "ca-file": "/etc/ca.pem",
                "mechanism": "SCRAM-SHA-256",
            },
            "principals": {"mirror": "mm2", "admin": "mm2"},
        }
        assert "pulumi config set --secret east-mirror-password" in said(made)
        assert "hunter2" not in made.page("mm2.properties")
        assert "override" not in flow(made), "how to reach a cluster is not tuning"

    def test_a_source_that_is_only_read_is_not_administered(self) -> None:
        made = from_mm2(**SECURE, **{"east->west.offset-syncs.topic.location": "target"})

        assert made.values["clusters"]["east"]["administer"] is False
        assert made.values["clusters"]["east"]["principals"] == {"mirror": "mm2"}

    @pytest.mark.parametrize(
        ("more", "note"),
        [
            ({"west->east.topics": "a"}, "west->east: it is not enabled"),
            ({"topics.blacklist": "secret"}, "topics.blacklist ended with Kafka 4.0"),
            ({"consumer.max.poll.records": "5"}, "does not read consumer.max.poll.records"),
            ({"replication.policy.separator": "_"}, "replication.policy.separator is '_'"),
            ({"replication.policy.class": "org.example.Policy"}, "org.example.Policy"),
            ({"checkpoints.topic.replication.factor": "2", "replication.factor": "3"},
             "checkpoints.topic.replication.factor is 2"),
            ({"east.security.protocol": "SSL", "east.ssl.keystore.location": "/k.jks"},
             "client certificates"),
            ({"east.security.protocol": "SSL", "east.ssl.truststore.location": "/t.jks"},
             "PEM file"),
            ({"east.security.protocol": "SASL_SSL"}, "sasl.mechanism is GSSAPI"),
            ({"east.bootstrap.servers": "${file:/etc/x:y}"}, "replace FILL-IN"),
            ({"east->west.topic.filter.class": "org.example.Filter"}, "cannot know"),
            ({"key.converter": "org.example.C", "east->west.key.converter": "org.example.C"},
             "copies bytes"),
            ({"east->west.consumer.ssl.key.password": "x"}, "looks like a secret"),
            ({"east->west.offset.flush": "x"}, "is not a key of Kafka"),
            ({}, "MirrorMaker copies ACLs"),
            ({}, "aborted transactions"),
            ({}, "sync-configs"),
            ({}, "begin with the earliest record"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_said_is_named(self, more: dict[str, str], note: str) -> None:
        assert note in said(from_mm2(**more))

    def test_what_is_as_before_is_not_mentioned(self) -> None:
        calm = from_mm2(
            **{
                "sync.topic.acls.enabled": "false",
                "sync.topic.configs.enabled": "false",
                "east.consumer.isolation.level": "read_committed",
                "offset-syncs.topic.location": "target",
            }
        )
        (administer, place) = calm.notes
        assert "does not administer" in administer.what
        assert "earliest record" in place.what

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"tasks.max": "many"}, "tasks.max is 'many'"),
            ({"tasks.max": "${env:TASKS}"}, "what that stands for is not in the file"),
            ({"east->west.enabled": "false"}, "no flow that a stack file could declare"),
        ],
    )
    def test_what_is_no_start_is_refused(self, more: dict[str, str], message: str) -> None:
        with pytest.raises(UserError, match=message):
            from_mm2(**more)

    def test_an_alias_that_a_stack_cannot_have_is_named(self) -> None:
        dotted = {key.replace("east", "us.east"): value for key, value in MM2.items()}
        with pytest.raises(UserError, match=r"the alias 'us\.east' may hold only"):
            imported(in_properties({**dotted, "clusters": "us.east, west"}), "mm2.properties")

    def test_the_file_is_a_stack_file_with_the_notes_at_its_top(self) -> None:
        made = from_mm2(**SECURE)
        page = made.page("mm2.properties")

        config = yaml.safe_load(page)["config"]
        parse({key.removeprefix("mirrorstack:"): config[key] for key in config}, "here")
        head = [line for line in page.splitlines() if line.startswith("#")]
        assert head[0] == "# yaml-language-server: $schema=schema.json"
        assert len(head) == 2 + len(made.notes)


def test_a_ring_is_taken_over_and_told() -> None:
    made = from_mm2(
        **{
            "west->east.enabled": "true",
            "west->east.topics": "orders",
            "replication.policy.class": (
                "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
            ),
        }
    )

    assert len(made.values["flows"]) == 2
    assert "form a ring" in said(made)


class TestConnectors:
    def connectors(self, *kinds: str, **config: str) -> list[Connector]:
        shared = {
            "source.cluster.alias": "east",
            "target.cluster.alias": "west",
            "source.cluster.bootstrap.servers": "east-1:9092",
            "target.cluster.bootstrap.servers": "west-1:9092",
            **config,
        }
        return [
            Connector(kind, {"connector.class": f"Mirror{kind}Connector", **shared})
            for kind in kinds
        ]

    def read(self, *connectors: Connector) -> tuple[Findings, Imported]:
        found = in_connectors(connectors)
        return found, imported(found, "connectors")

    def test_a_flow_is_made_of_the_connectors_that_are_there(self) -> None:
        _, made = self.read(*self.connectors("Source", topics="a"))
        assert flow(made)["topics"] == ["a"]
        assert "groups" not in flow(made)
        assert flow(made)["heartbeats"] is False

    def test_the_flow_s_state_is_its_source_connector_s(self) -> None:
        source, checkpoint = self.connectors("Source", "Checkpoint")
        paused = Connector(source.name, source.config, ConnectorState.PAUSED)
        _, made = self.read(paused, checkpoint)
        assert flow(made)["state"] == "paused"
        assert "Checkpoint: it is running, and the flow will be paused" in said(made)

    def test_two_that_share_the_topics_are_joined(self) -> None:
        first, second = (self.connectors("Source", topics=topic)[0] for topic in ("a,b", "b,c"))
        _, made = self.read(first, Connector("second", second.config))
        assert flow(made)["topics"] == ["a", "b", "c"]
        assert "second: it is joined with Source" in said(made)

    def test_connectors_that_disagree_are_told_with_what_is_written(self) -> None:
        (source,) = self.connectors("Source", topics="a")
        (checkpoint,) = self.connectors("Checkpoint", **{"offset-syncs.topic.location": "target"})
        _, made = self.read(source, checkpoint)
        assert flow(made)["offset-syncs"] == "source"
        assert "has offset-syncs.topic.location target, and the source connector has" in said(made)

    def test_others_are_left_out_and_named(self) -> None:
        sink = Connector("sink", {"connector.class": "org.example.Sink"})
        (lonely,) = self.connectors("Heartbeat")
        elsewhere = Connector("beat", {**lonely.config, "target.cluster.alias": "north"})
        _, made = self.read(*self.connectors("Source", topics="a"), sink, elsewhere)
        assert "sink: it is not one of MirrorMaker's" in said(made)
        assert "beat: no connector mirrors east to north" in said(made)


VARIANTS = [
    dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())
]


def test_what_a_stack_deploys_is_imported_as_the_same_stack() -> None:
    access = ClientAccess("x", "x:9093", "mm2", "${file:/secrets:x}", ca_path="/ca.pem")
    for variant in VARIANTS:
        if not variant["groups"] and not variant["sync-group-offsets"]:
            continue  # without groups it says nothing
        settings = FlowSettings.model_validate(
            {
                "from": "east",
                "to": "west",
                "topics": ["orders", "clicks"],
                "tasks": 5,
                "offset-lag": 7,
                "checkpoint-seconds": 9 if variant["groups"] else 60,
                "override": {"source": {"refresh.topics.interval.seconds": "30"}},
                **variant,
            }
        )
        deployed = connector_configs(settings, access, access, ["orders", "clicks"], 3)
        made = imported(
            in_connectors([Connector(one.name, one.config) for one in deployed]), "Connect"
        )

        assert FlowSettings.model_validate(flow(made)) == settings, variant
        assert made.values["clusters"]["west"]["replication-factor"] == 3
