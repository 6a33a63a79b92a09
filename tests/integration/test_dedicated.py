"""Which keys of mm2.properties are read at all: our answer against MirrorMakerConfig's own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from mirrorstack.model import key_history
from mirrorstack.model.catalogue import CONNECTORS, Section, keys_in
from mirrorstack.model.dedicated_places import ALSO_OWN, dedicated_place
from mirrorstack.model.key_places import CLIENTS, connector_place, worker_place
from mirrorstack.sandbox.runtime import KafkaRuntime

BASE = {
    "clusters": "A,B",
    "A.bootstrap.servers": "a:9092",
    "B.bootstrap.servers": "b:9092",
    "A->B.enabled": "true",
    "plugin.discovery": "service_load",
}
# Reads properties files; tells to which workers' and connectors' keys each value has come.
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
                tell("worker", config.workerConfig(flow));
                for (Class<?> connector : connectors)
                    tell(connector.getName(), config.connectorBaseConfig(flow, connector));
            }
        }
    }

    static void tell(String whose, Map<String, String> reached) {
        reached.forEach((key, value) -> System.out.println(value + "\\t" + whose + "\\t" + key));
    }
}
"""
PREFIXES = ("", "A.", "B.", "A->B.", "B->A.")


def names() -> list[str]:
    """Every key there is, under every prefix there is, and some that are none."""
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


def test_a_key_is_called_unread_where_it_reaches_nobody(
    runtime: KafkaRuntime, tmp_path: Path
) -> None:
    own = {*keys_in(Section.DEDICATED), *ALSO_OWN, *BASE, "bootstrap.servers"}
    asked = []
    for number, prefix in enumerate(PREFIXES):
        keys = [f"{prefix}{name}" for name in names() if f"{prefix}{name}" not in own]
        asked += keys
        # A key's value is the key: where the value has come, the key is read.
        lines = [f"{key}={value}" for key, value in {**BASE, **{key: key for key in keys}}.items()]
        (tmp_path / f"{number}.properties").write_text("\n".join(lines))
    # In MirrorMaker's package, because its methods are not for everybody.
    oracle = tmp_path / "Oracle.java"
    oracle.write_text(ORACLE)
    told = subprocess.run(
        [runtime.java, "-cp", f"{runtime.jars}/*", oracle, *sorted(tmp_path.glob("*.properties"))],
        capture_output=True,
        text=True,
        check=True,
    )
    places = {name: connector_place(section, {}) for name, section in CONNECTORS.items()}
    places["worker"] = worker_place()
    reached = [line.split("\t") for line in told.stdout.splitlines() if line.count("\t") == 2]
    read = {key for key, whose, as_key in reached if places[whose].reads(as_key)} & set(asked)

    place = dedicated_place(["A", "B"], {})
    ours = {name for name in asked if place.reads(name)}
    assert len(read) > 1000, "what is compared must be the real thing"
    assert sorted(ours - read) == [], "we say that somebody reads it"
    assert sorted(read - ours) == [], "we say that nobody reads it"
