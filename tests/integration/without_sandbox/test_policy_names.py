"""Our names of topics against Kafka's own replication policies and MirrorSourceConnector."""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.mm2.replication_policy import Naming, ReplicationPolicy, is_replicated

# Reads a separator and names; answers with what the class says of each, and whether
# MirrorSourceConnector replicates it. Its constructor for tests is not public.
ORACLE = """
package org.apache.kafka.connect.mirror;

import com.fasterxml.jackson.databind.*;
import java.util.*;
import org.apache.kafka.common.Configurable;

public class Oracle {
    public static void main(String[] arguments) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode asked = mapper.readTree(System.in);
        ReplicationPolicy policy = (ReplicationPolicy) Class.forName(asked.get("class").asText())
            .getDeclaredConstructor().newInstance();
        ((Configurable) policy).configure(Map.of("source.cluster.alias", "east",
            "replication.policy.separator", asked.get("separator").asText()));
        MirrorSourceConnector connector = new MirrorSourceConnector(
            new SourceAndTarget("east", "west"), policy, topic -> true, key -> true);
        Map<String, Object> topics = new LinkedHashMap<>();
        for (JsonNode each : asked.get("topics")) {
            String topic = each.asText();
            topics.put(topic, List.of(policy.formatRemoteTopic("east", topic),
                policy.isInternalTopic(topic), policy.isHeartbeatsTopic(topic),
                connector.isCycle(topic), connector.shouldReplicateTopic(topic)));
        }
        mapper.writeValue(System.out, Map.of("topics", topics,
            "checkpoints", policy.checkpointsTopic("east"),
            "syncs", List.of(policy.offsetSyncsTopic("west"), policy.offsetSyncsTopic("east"))));
    }
}
"""
PARTS = (
    *("", "east", "west", "north", "orders", "heartbeats", "device-heartbeats", "checkpoints"),
    *("internal", "mm2", "mm2-offset-syncs", "__consumer_offsets", "west-"),
)
SEPARATORS = (".", "-", "_", "--", "x")


def names(separator: str) -> list[str]:
    joined = {
        f"{start}{between.join(parts)}{end}"
        for between in {separator, "."}
        for length in (1, 2, 3)
        for parts in itertools.product(PARTS, repeat=length)
        for start, end in (("", ""), ("", between), (between, ""))
    }
    return sorted(name for name in joined if name)


def answers(runtime: KafkaInstallation, directory: Path, **asked: Any) -> dict[str, Any]:
    source = directory / "Oracle.java"
    source.write_text(ORACLE)
    compiled = directory / "classes"
    javac = runtime.java.resolve().with_name("javac")
    subprocess.run(
        [javac, "-cp", f"{runtime.jars}/*", "-d", compiled, source],
        check=True,
        capture_output=True,
    )
    command = runtime.command("org.apache.kafka.connect.mirror.Oracle", class_path=[compiled])
    ended = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("naming", [Naming.PREFIXED, Naming.IDENTITY])
def test_every_name_is_what_kafka_says(
    runtime: KafkaInstallation, tmp_path: Path, naming: Naming, separator: str
) -> None:
    policy = ReplicationPolicy(naming, "east", "west", separator)
    topics = names(separator)

    told = answers(
        runtime, tmp_path, **{"class": policy.java_class, "separator": separator, "topics": topics}
    )

    assert told["checkpoints"] == policy.checkpoints_topic
    assert told["syncs"] == [policy.offset_syncs_topic(end) for end in ("source", "target")]
    ours = {
        topic: [
            policy.target_topic(topic),
            policy.is_internal(topic),
            policy.is_heartbeats(topic),
            policy.is_cycle(topic),
            is_replicated(policy, topic, topics=[".*"], excluded=(), heartbeats=True),
        ]
        for topic in topics
    }
    assert {
        topic: (ours[topic], told["topics"][topic])
        for topic in topics
        if ours[topic] != told["topics"][topic]
    } == {}
