"""Which keys of mm2.properties are read, compared with Kafka's MirrorMakerConfig."""

from __future__ import annotations

import subprocess

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.mm2 import key_history
from mirrorstack.mm2.catalogue import CONNECTORS, Section, keys_in
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.expansion import expand
from mirrorstack.mm2.dedicated.scopes import PLUGIN_KEYS, dedicated_scope
from mirrorstack.mm2.key_scopes import CLIENTS, connector_scope, worker_scope

BASE = {
    "clusters": "A,B",
    "A.bootstrap.servers": "a:9092",
    "B.bootstrap.servers": "b:9092",
    "A->B.enabled": "true",
    "plugin.discovery": "service_load",
}
# Reads properties files; prints the worker and connector keys that each value arrives in.
ORACLE = """
package org.apache.kafka.connect.mirror;

import java.io.*;
import java.util.*;

public class Oracle {
    public static void main(String[] files) throws Exception {
        List<Class<?>> connectors = List.of(MirrorSourceConnector.class,
            MirrorCheckpointConnector.class, MirrorHeartbeatConnector.class);
        for (String file : files) {
            Properties given = new Properties();
            try (InputStream in = new FileInputStream(file)) { given.load(in); }
            Map<String, String> all = new HashMap<>();
            given.forEach((key, value) -> all.put((String) key, (String) value));
            MirrorMakerConfig config = new MirrorMakerConfig(all);
            for (String[] pair : new String[][] {{"A", "B"}, {"B", "A"}}) {
                SourceAndTarget flow = new SourceAndTarget(pair[0], pair[1]);
                String where = new File(file).getName() + "\\t" + flow + "\\t";
                print(where + "worker", config.workerConfig(flow));
                for (Class<?> connector : connectors)
                    print(where + connector.getName(), config.connectorBaseConfig(flow, connector));
            }
        }
    }

    static void print(String whose, Map<String, String> reached) {
        reached.forEach((key, value) -> System.out.println(whose + "\\t" + key + "\\t" + value));
    }
}
"""
PREFIXES = ("", "A.", "B.", "A->B.", "B->A.")


def names() -> list[str]:
    """Every known key under every prefix, and some unknown ones."""
    plain = {name for section in Section for name in keys_in(section)} | {"no.such.key", "tasks"}
    plain |= set(key_history.CONNECTORS) | set(key_history.WORKERS)
    clients = {
        f"{side}{prefix}{middle}{name}"
        for prefix, section in CLIENTS.items()
        for side in ("", "source.", "target.")
        for middle in ("", "override.")
        for name in (*list(keys_in(section))[::5], "no.such.key")
    }
    ends = {f"{side}.cluster.{name}" for side in ("source", "target") for name in plain}
    more = {"topic.creation.default.partitions", "key.converter.x", "config.providers.file.class"}
    return sorted(plain | clients | ends | more)


OWN = {*keys_in(Section.DEDICATED), *PLUGIN_KEYS, *BASE, "bootstrap.servers"}


@pytest.fixture(scope="module")
def files() -> list[dict[str, str]]:
    """One file per prefix, with all keys. The value of a key is the key: it shows the origin."""
    return [
        {**BASE, **{key: key for name in names() if (key := f"{prefix}{name}") not in OWN}}
        for prefix in PREFIXES
    ]


@pytest.fixture(scope="module")
def expanded(
    runtime: KafkaInstallation,
    tmp_path_factory: pytest.TempPathFactory,
    files: list[dict[str, str]],
) -> list[tuple[int, str, str, str, str]]:
    """File, flow, worker or connector, key and value, as MirrorMaker expands them."""
    directory = tmp_path_factory.mktemp("dedicated")
    for number, config in enumerate(files):
        (directory / f"{number}").write_text("".join(f"{k}={v}\n" for k, v in config.items()))
    # In MirrorMaker's package, because its methods are package-private.
    oracle = directory / "Oracle.java"
    oracle.write_text(ORACLE)
    asked = subprocess.run(
        [
            *(runtime.java, "-cp", f"{runtime.jars}/*", oracle),
            *(directory / str(number) for number in range(len(files))),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split("\t") for line in asked.stdout.splitlines() if line.count("\t") == 4]
    return [(int(file), flow, whose, key, value) for file, flow, whose, key, value in lines]


def test_a_key_is_reported_as_unread_if_nothing_receives_it(
    files: list[dict[str, str]], expanded: list[tuple[int, str, str, str, str]]
) -> None:
    asked = {key for config in files for key in config} - OWN
    places = {name: connector_scope(section, {}) for name, section in CONNECTORS.items()}
    places["worker"] = worker_scope()
    read = {value for _, _, whose, key, value in expanded if places[whose].reads(key)} & asked

    place = dedicated_scope(["A", "B"], {})
    ours = {name for name in asked if place.reads(name)}
    assert len(read) > 1000, "the comparison must cover the real keys"
    assert sorted(ours - read) == [], "we report it as read, Kafka does not read it"
    assert sorted(read - ours) == [], "we report it as unread, Kafka reads it"


def test_workers_and_connectors_are_expanded_as_mirrormaker_expands_them(
    files: list[dict[str, str]], expanded: list[tuple[int, str, str, str, str]]
) -> None:
    ours = set()
    for number, config in enumerate(files):
        for source, target in (("A", "B"), ("B", "A")):
            made = expand(config, source, target)
            configs = {kind.java_class: made.connectors[kind] for kind in ConnectorKind}
            for whose, keys in {**configs, "worker": made.worker}.items():
                ours |= {(number, f"{source}->{target}", whose, k, v) for k, v in keys.items()}

    assert ours == set(expanded)
