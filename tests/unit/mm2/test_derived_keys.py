"""What we derive is made of keys that Kafka knows, whatever a stack file says."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.mm2.key_scopes import worker_scope
from mirrorstack.mm2.worker_configs import WorkerGroup, worker_config
from mirrorstack.rules.keys.checks import key_findings
from mirrorstack.rules.keys.connector import connector_key_findings

CHOICES: dict[str, tuple[Any, ...]] = {
    "naming": ("prefixed", "identity"),
    "groups": ([], ["billing", "app-.*"]),
    "exclude-groups": ([], ["app-test"]),
    "offset-syncs": ("source", "target"),
    "sync-group-offsets": (True, False),
    "heartbeats": (True, False),
    "exactly-once": (True, False),
    "profile": ("default", "throughput"),
}
VARIANTS = [
    dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())
]
ACCESSES = [
    ClientAccess("a", "a:9092", "mirror", "${file:/secrets:a}", ca_path="/ca.pem"),
    ClientAccess("a", "a:9092", "mirror", "${file:/secrets:a}", mechanism="PLAIN"),
    ClientAccess("a", "a:9092", "mirror", "", protocol="SSL", ca_path="/ca.pem"),
    ClientAccess("a", "a:9092", "mirror", "", protocol="PLAINTEXT"),
]


@pytest.mark.parametrize("access", ACCESSES, ids=lambda access: access.protocol)
def test_every_connector_of_every_kind_of_flow(access: ClientAccess) -> None:
    for variant in VARIANTS:
        flow = FlowSettings.model_validate(
            {"from": "east", "to": "west", "topics": ["orders"], **variant}
        )
        for made in connector_configs(flow, access, access, ["orders", "a.b-c", "heartbeats"], 1):
            assert connector_key_findings(made.config) == [], variant


@pytest.mark.parametrize("access", ACCESSES, ids=lambda access: access.protocol)
@pytest.mark.parametrize("exactly_once", [True, False])
def test_every_worker(access: ClientAccess, exactly_once: bool) -> None:
    group = WorkerGroup("west", "mirrorstack-west", exactly_once)
    config = worker_config(group, access, "http://127.0.0.1:8083", 1)

    assert [
        one for key in config for one in key_findings(worker_scope(), key, config[key], config)
    ] == []
