"""Shell scripts: removed Kafka commands and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lint.files import placed


def test_removed_commands_are_reported_on_their_lines(tmp_path: Path) -> None:
    script = """\
        #!/bin/bash
        set -e
        kafka-mirror-maker.sh --consumer-config a.properties --producer-config b.properties
        cd /opt && exec bin/zookeeper-server-start.sh conf/zookeeper.properties
        nohup /opt/kafka/bin/kafka-preferred-replica-election.sh &
        kafka-run-class.sh kafka.tools.MirrorMaker --num.streams 2
    """
    assert placed(tmp_path, "run.sh", script) == [
        (3, "kafka-mirror-maker.sh", "removed-command"),
        (4, "zookeeper-server-start.sh", "removed-command"),
        (5, "kafka-preferred-replica-election.sh", "removed-command"),
        (6, "kafka.tools.MirrorMaker", "removed-command"),
    ]


def test_removed_options_are_reported_for_the_commands_that_had_them(tmp_path: Path) -> None:
    script = r"""
        bin/kafka-topics.sh --create \
            --zookeeper zk:2181 --topic orders
        docker exec broker kafka-configs.sh --zookeeper=zk:2181 --describe | tee out
        LIST=$(kafka-console-consumer.sh --bootstrap-server b:9092 --whitelist 'orders.*')
        kafka-console-producer.sh --broker-list b:9092 --topic orders
        kafka-log-dirs.sh --bootstrap-server b:9092 --broker-list 1,2
    """
    assert placed(tmp_path, "run.sh", script.lstrip("\n")) == [
        (2, "--zookeeper", "removed-option"),
        (3, "--zookeeper", "removed-option"),
        (4, "--whitelist", "removed-option"),
        (5, "--broker-list", "removed-option"),
    ]


def test_current_commands_and_quoted_text_have_no_findings(tmp_path: Path) -> None:
    script = r"""
        #!/usr/bin/env bash
        # kafka-mirror-maker.sh was here
        echo kafka-mirror-maker.sh is gone, use --zookeeper no more
        printf "kafka-topics.sh --zookeeper"
        cat > run-old.sh <<'EOF'
        kafka-mirror-maker.sh --whitelist x
        EOF
        bin/connect-mirror-maker.sh config/mm2.properties --clusters west
        bin/connect-distributed.sh config/connect-distributed.properties &
        bin/kafka-acls.sh --bootstrap-server b:9092 --command-config admin.properties \
            --add --allow-principal User:mm2 --operation Read --topic 'mm2-offset-syncs.west.internal'
        bin/kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group billing # --zookeeper
        bin/kafka-console-consumer.sh --bootstrap-server b:9092 --topic east.checkpoints.internal
        my-tool --zookeeper zk:2181
        helm install kafka-topics --zookeeper zk
    """  # noqa: E501 - one line of a script
    assert placed(tmp_path, "run", script.lstrip("\n").replace("        ", "")) == []


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("kafka-acl.sh --list", ["removed-command"]),
        ("kafka-mirrormaker.sh x", []),
        ("kafka-our-own-thing.sh --zookeeper x", []),
    ],
)
def test_a_command_similar_to_one_of_kafka_s_is_reported(
    tmp_path: Path, line: str, rules: list[str]
) -> None:
    assert [rule for _, _, rule in placed(tmp_path, "x.sh", line)] == rules
