"""Rendered stacks in Kafka's own dedicated mode: which workers it starts and what it rejects."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mirrorstack.config.settings import StackSettings
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.rendering.clusters import client_accesses
from mirrorstack.rendering.dedicated import render_stack
from mirrorstack.sandbox.connection import connection
from tests.unit.rendering.stacks import flow, stack

# Prints the pairs of clusters that get workers, and the validation errors of their connectors.
ORACLE = """
package org.apache.kafka.connect.mirror;

import java.io.*;
import java.util.*;
import org.apache.kafka.connect.source.SourceConnector;

public class Pairs {
    public static void main(String[] files) throws Exception {
        for (String file : files) {
            Properties given = new Properties();
            try (InputStream in = new FileInputStream(file)) { given.load(in); }
            Map<String, String> all = new HashMap<>();
            given.forEach((key, value) -> all.put((String) key, (String) value));
            MirrorMakerConfig config = new MirrorMakerConfig(all);
            for (SourceAndTarget pair : config.clusterPairs()) {
                String where = new File(file).getName() + "\\t" + pair + "\\t";
                System.out.println(where + "workers");
                if (config.workerConfig(pair).get("sasl.jaas.config").contains("hunter2"))
                    System.out.println(where + "password");
                for (SourceConnector each : List.of(new MirrorSourceConnector(),
                        new MirrorCheckpointConnector(), new MirrorHeartbeatConnector()))
                    each.validate(config.connectorBaseConfig(pair, each.getClass())).configValues()
                        .forEach(value -> value.errorMessages().forEach(message ->
                            System.out.println(where + value.name() + ": " + message)));
            }
        }
    }
}
"""
ONE_WAY = [flow(groups=["billing"]), flow("north", "west", naming="identity", topics=["n-.*"])]
STACKS = {
    "one-way": stack(*ONE_WAY),
    "both-ways": stack(flow(), flow("west", "east")),
    "at-least-once": stack(flow("east", "west", **{"exactly-once": False, "heartbeats": False})),
    "paused": stack(flow(), flow("east", "north", state="paused")),
}


@pytest.fixture(scope="module")
def reported(
    runtime: KafkaInstallation, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, set[str]]]:
    """By stack and pair of clusters."""
    directory = tmp_path_factory.mktemp("rendered")
    secrets = directory / "secrets.properties"
    secrets.write_text(render(dict.fromkeys(("east", "west", "north"), "hunter2")))
    oracle = directory / "Pairs.java"
    oracle.write_text(ORACLE)
    files = [_written(directory / name, each, secrets) for name, each in STACKS.items()]
    asked = subprocess.run(
        [runtime.java, "-cp", f"{runtime.jars}/*", oracle, *files],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, dict[str, set[str]]] = {}
    for line in asked.stdout.splitlines():
        if line.count("\t") == 2:
            file, pair, what = line.split("\t")
            found.setdefault(file, {}).setdefault(pair, set()).add(what)
    return found


def _written(file: Path, settings: StackSettings, secrets: Path) -> Path:
    file.write_text(
        render_stack(settings, client_accesses(settings, str(secrets), connection)).content(
            "the test"
        )
    )
    return file


def test_workers_are_created_for_running_flows_and_for_no_other_pair(
    reported: dict[str, dict[str, set[str]]],
) -> None:
    assert {name: set(pairs) for name, pairs in reported.items()} == {
        "one-way": {"east->west", "north->west"},
        "both-ways": {"east->west", "west->east"},
        "at-least-once": {"east->west"},
        "paused": {"east->west"},
    }


def test_the_connectors_accept_the_config_and_the_workers_find_the_passwords(
    reported: dict[str, dict[str, set[str]]],
) -> None:
    for name, pairs in reported.items():
        for pair, what in pairs.items():
            assert what == {"workers", "password"}, f"{pair} of {name}"
