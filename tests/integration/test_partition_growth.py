"""Partitions that are added after the deployment, and topics that a pinned flow does not know."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from confluent_kafka import Producer

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.discovery_stack import RECORDS, changed_types, deployment, topics_on
from tests.integration.replicated_stack import (
    Place,
    add_partitions,
    admin,
    ends,
    equal_within,
    fill,
    write,
)

pytestmark = pytest.mark.slow


def test_a_pinned_flow_replicates_only_what_a_preview_has_shown(
    tmp_path: Path, home: Path, sandbox: Sandbox
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    fill(east, "pinned-first")
    with deployment(tmp_path, home, "pinned", discovery="pinned") as project:
        equal_within(sandbox, {"pinned-first": "east.pinned-first"})
        fill(east, "pinned-second")
        before = ends(admin(*west), ["heartbeats"])["heartbeats", 0]
        eventually(
            lambda: ends(admin(*west), ["heartbeats"])["heartbeats", 0] > before + 6,
            "more than one refresh has passed",
        )
        assert topics_on(west, "east.pinned-") == {"east.pinned-first"}
        assert "Topic" in changed_types(project)

        project.up()

        equal_within(sandbox, {name: f"east.{name}" for name in ("pinned-first", "pinned-second")})


@pytest.mark.parametrize("naming", ["prefixed", "identity"])
@pytest.mark.parametrize("exactly_once", [True, False])
def test_partitions_that_are_added_under_load_are_replicated_without_a_deployment(
    tmp_path: Path, home: Path, sandbox: Sandbox, naming: str, exactly_once: bool
) -> None:
    east = (sandbox, Cluster.EAST)
    group = f"growing-{naming}-{str(exactly_once).lower()}"
    name, pattern = f"{group}-named", f"{group}-live.*"
    for topic in (name, f"{group}-live"):
        fill(east, topic, partitions=2)
    selected = {"topics": [name, pattern], "naming": naming, "exactly_once": exactly_once}
    targets = {
        topic: topic if naming == "identity" else f"east.{topic}"
        for topic in (name, f"{group}-live")
    }
    with deployment(tmp_path, home, group, **selected) as project:
        with _load(east, list(targets)):
            for topic in targets:
                add_partitions(east, topic, 5)
            eventually(
                lambda: _partitions((sandbox, Cluster.WEST), targets.values()) == 10,
                "MirrorMaker adds the partitions",
            )
            for topic in targets:
                write(east, topic, records=100)  # with a client that knows all partitions
        equal_within(sandbox, targets)
        assert all(end > 0 for end in ends(admin(*east), list(targets)).values())
        assert changed_types(project) <= RECORDS
        project.up()
        assert changed_types(project) == set()


def _partitions(place: Place, topics: Iterable[str]) -> int:
    known = admin(*place).list_topics(timeout=15).topics
    return sum(len(known[topic].partitions) for topic in topics)


@contextmanager
def _load(place: Place, topics: list[str]) -> Iterator[None]:
    """Records to all partitions of the topics, also to those that are added meanwhile."""
    sandbox, cluster = place
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    producer = Producer(config | {"log_level": 0, "topic.metadata.refresh.interval.ms": 500})
    stopping = threading.Event()

    def write_records() -> None:
        number = 0
        while not stopping.wait(0.005):
            for topic in topics:
                number += 1
                producer.produce(topic, f"under load {number}", key=str(number))
            producer.poll(0)

    writer = threading.Thread(target=write_records)
    writer.start()
    try:
        yield
    finally:
        stopping.set()
        writer.join()
        assert producer.flush(15) == 0
