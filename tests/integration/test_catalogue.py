"""The catalogue of keys against the real Kafka: its classes, and a running Connect worker."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.mm2 import catalogue
from mirrorstack.mm2.catalogue import CONNECTORS, Key, Section, Type, keys_in
from mirrorstack.mm2.key_values import rejection_reason
from mirrorstack.rules.keys.connector import connector_key_findings
from mirrorstack.sandbox.config_defs import config_defs, page
from tests.integration.connect_worker import ConnectWorker
from tests.integration.connector_stack import west, worker

__all__ = ["west", "worker"]  # fixtures

FILE = Path(catalogue.__file__).with_name("catalogue.json")
# Reads `section TAB key TAB value` lines; answers each with `taken` or `refused`.
ORACLE = """
import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.mirror.*;
import org.apache.kafka.connect.runtime.SourceConnectorConfig;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

public class Oracle {
    public static void main(String[] arguments) throws Exception {
        Class<?> crypto = Class.forName("org.apache.kafka.connect.runtime.distributed.Crypto");
        Method worker = DistributedConfig.class.getDeclaredMethod("config", crypto);
        Field system = crypto.getDeclaredField("SYSTEM");
        worker.setAccessible(true);
        system.setAccessible(true);
        Map<String, List<ConfigDef>> defs = Map.of(
            "source", List.of(
                new MirrorSourceConnector().config(), SourceConnectorConfig.configDef()),
            "checkpoint", List.of(new MirrorCheckpointConnector().config()),
            "heartbeat", List.of(new MirrorHeartbeatConnector().config()),
            "worker", List.of((ConfigDef) worker.invoke(null, system.get(null))),
            "consumer", List.of(ConsumerConfig.configDef()),
            "producer", List.of(ProducerConfig.configDef()),
            "admin", List.of(AdminClientConfig.configDef()),
            "topic", List.of(LogConfig.configDefCopy()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line; (line = in.readLine()) != null; ) {
            String[] asked = line.split("\\t", -1);
            ConfigDef.ConfigKey key = null;
            for (ConfigDef def : defs.get(asked[0]))
                if (key == null) key = def.configKeys().get(asked[1]);
            try {
                new ConfigDef().define(key).parse(Map.of(key.name, asked[2]));
                out.append("taken\\n");
            } catch (Exception e) {
                out.append("refused\\n");
            }
        }
        System.out.print(out);
    }
}
"""
JUDGED = (
    Section.SOURCE,
    Section.CHECKPOINT,
    Section.HEARTBEAT,
    Section.WORKER,
    Section.CONSUMER,
    Section.PRODUCER,
    Section.ADMIN,
    Section.TOPIC,
)
VALUES = (
    *("", " ", "true", " TRUE ", "yes", "0", "-1", "1", "+5", " 7 ", "3.5", "1e3", ".5d", "NaN"),
    *("40000", "-40000", "99999999999", "99999999999999999999", "a", "a,b", "a , b", "a,,b", "a,"),
    *(",", "PLAINTEXT", "sasl_ssl", "none", "NONE", "read_committed", "by_duration:P1D", "eager"),
    *("by_duration:", "explicit", "no such class", "10", "a.b", "org.apache.kafka.common.Node"),
)


def samples(key: Key) -> Iterator[str]:
    yield from VALUES
    for choice in key.choices:
        yield from (choice, choice.lower(), choice.upper(), f"{choice},{choice}", f"{choice}x")
    for bound in (key.min, key.max):
        if bound is not None:
            yield from (str(bound + step) for step in (-1, 0, 1))


def told_in_words(key: Key) -> bool:
    """Whether only Kafka can tell: classes must be there, and some rules are code."""
    told = ("non-empty", "[", "Positive")
    code = bool(key.rule) and (not key.rule.startswith(told) or key.rule.startswith("[partition"))
    return code or key.type is Type.CLASS or key.name == "auto.offset.reset"


def test_the_file_is_what_the_classes_say(runtime: KafkaInstallation) -> None:
    assert page(config_defs(runtime)) == FILE.read_text(), "type `make catalogue`"


def test_values_are_judged_as_the_classes_judge_them(
    runtime: KafkaInstallation, tmp_path: Path
) -> None:
    oracle = tmp_path / "Oracle.java"
    oracle.write_text(ORACLE)
    asked = [
        (section, key, value)
        for section in JUDGED
        for key in keys_in(section).values()
        if key.name != "connector.client.config.override.allowlist"
        and not (key.framework and section is not Section.SOURCE)
        for value in samples(key)
    ]
    answer = subprocess.run(
        [runtime.java, "-cp", f"{runtime.jars}/*", oracle],
        input="".join(f"{section}\t{key.name}\t{value}\n" for section, key, value in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    wrong = []
    for (section, key, value), said in zip(asked, answer.stdout.splitlines(), strict=True):
        ours = "taken" if rejection_reason(key, value) is None else "refused"
        # We may be silent where only Kafka knows; what Kafka takes is never refused.
        if ours != said and not (told_in_words(key) and said == "refused"):
            wrong.append((section, key.name, value, said, ours))

    assert wrong == []


@pytest.mark.parametrize("java_class", CONNECTORS)
def test_a_running_worker_declares_the_same_keys(worker: ConnectWorker, java_class: str) -> None:
    declared = {
        entry["name"]: (
            entry["type"],
            entry["required"],
            entry["default_value"],
            entry["importance"],
        )
        for entry in ask(worker, f"/connector-plugins/{java_class}/config")
    }

    known = {
        key.name: (key.type, key.required, key.default, key.importance)
        for key in keys_in(CONNECTORS[java_class]).values()
    }
    assert known == declared, "type `make catalogue`"


@pytest.mark.parametrize("java_class", CONNECTORS)
def test_connect_knows_a_connector_by_its_shorter_names(
    worker: ConnectWorker, java_class: str
) -> None:
    simple = java_class.rpartition(".")[2]
    for name in (simple, simple.removesuffix("Connector")):
        assert ask(worker, f"/connector-plugins/{name}/config")
        assert catalogue.connector_section(name) is catalogue.connector_section(java_class)


@pytest.mark.parametrize(
    ("section", "changes", "connect_sees_it"),
    [
        (Section.SOURCE, {"task.max": "9"}, False),
        (Section.SOURCE, {"topics.blacklist": "secret"}, False),
        (Section.SOURCE, {"consumer.max.pol.records": "9"}, False),
        (Section.SOURCE, {"topics": "*.internal"}, False),
        (Section.SOURCE, {"offset-syncs.topic.location": "traget"}, True),
        (Section.SOURCE, {"sync.topic.acls.enabled": "no"}, True),
        (Section.SOURCE, {"exactly.once.support": "required"}, True),
        (
            Section.SOURCE,
            {"emit.offset-syncs.enabled": "false", "offset-syncs.topic.location": "target"},
            True,
        ),
        (Section.CHECKPOINT, {"emit.checkpoints.enabled": "false"}, True),
        (Section.CHECKPOINT, {"emit.offset-syncs.enabled": "false"}, True),
        (Section.CHECKPOINT, {"groups": "a,,b"}, True),
    ],
)
def test_mistakes_are_found_whether_connect_rejects_or_ignores_them(
    worker: ConnectWorker, section: Section, changes: dict[str, str], connect_sees_it: bool
) -> None:
    config = {
        "connector.class": next(name for name, one in CONNECTORS.items() if one is section),
        "source.cluster.alias": "east",
        "target.cluster.alias": "west",
        "source.cluster.bootstrap.servers": worker.west.bootstrap_servers,
        "target.cluster.bootstrap.servers": worker.west.bootstrap_servers,
        **changes,
    }
    live = ConnectClient(worker.url, credentials.load(worker.credentials_file))

    assert bool(live.validate("trial", config).invalid) == connect_sees_it
    assert {finding.key for finding in connector_key_findings(config)} & changes.keys()


def ask(worker: ConnectWorker, path: str) -> list[dict[str, Any]]:
    login = credentials.load(worker.credentials_file)
    request = urllib.request.Request(  # noqa: S310 - loopback
        worker.url + path, headers={"Authorization": login.authorization}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        found: list[dict[str, Any]] = json.load(answer)
        return found
