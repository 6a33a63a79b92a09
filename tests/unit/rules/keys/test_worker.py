"""The keys of a worker's properties."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Finding
from mirrorstack.mm2.key_scopes import worker_scope
from mirrorstack.rules.keys.checks import key_findings
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.keys.worker import shared_state_topics, worker_findings


def findings(key: str, value: str = "1") -> list[Finding]:
    return list(key_findings(worker_scope(), key, value, {key: value}))


@pytest.mark.parametrize(
    "key",
    [
        "group.id",
        "producer.batch.size",
        "offset.storage.min.insync.replicas",
        "listeners.https.ssl.keystore.location",
        "config.providers.file.class",
        "connector.client.config.override.allowlist",
    ],
)
def test_the_keys_of_a_worker_are_accepted(key: str) -> None:
    assert findings(key) == []


@pytest.mark.parametrize(
    ("key", "fix"),
    [
        ("rest.port", "listeners"),
        ("batch.size", "write `producer.batch.size`"),
        ("tasks.max", "connector's key"),
        ("offset.storage.replicaton.factor", "`offset.storage.replication.factor`"),
        ("producer.override.batch.size", "`producer."),
    ],
)
def test_other_keys_are_reported_with_a_fix(key: str, fix: str) -> None:
    (finding,) = findings(key)
    assert fix in finding.fix


def test_required_keys_are_those_of_the_kind_of_worker() -> None:
    def missing(config: dict[str, str]) -> set[str]:
        found = worker_findings(config)
        return {one.key for one in found if one.rule == KeyRule.MISSING_KEY}

    distributed, standalone = missing({}), missing({"offset.storage.file.filename": "/offsets"})

    assert {"group.id", "offset.storage.topic", "key.converter"} <= distributed
    assert "key.converter" in standalone
    assert not {"group.id", "offset.storage.topic"} & standalone


def test_the_three_state_topics_differ() -> None:
    def found(**topics: str) -> list[str]:
        given = {f"{kind}.storage.topic": topic for kind, topic in topics.items()}
        return [one.key for one in shared_state_topics(given)]

    assert found(config="c", offset="o", status="s") == []
    assert found(config="x", offset="x", status="s") == ["offset.storage.topic"]
    assert found(config="${env:A}", offset="${env:A}") == []
