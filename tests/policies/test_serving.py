"""The pack is ready before the program starts, and reads a resource for those who judge it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from google.protobuf import json_format, struct_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import analyzer_pb2
from pulumi_policy import EnforcementLevel, PolicyResource
from pulumi_policy import policy as sdk
from pulumi_policy.deserialize import deserialize_properties

from mirrorstack.local.home import ROOT
from policies.adapter import policy_of
from policies.pack import RULES, Servicer
from policies.resources import TOPIC, plain
from tests.policies.harness import connector, declared, flow, resource, stack


@pytest.fixture
def servicer() -> Servicer:
    policies = [policy_of(rule) for rule in RULES]
    nothing_more = [None] * 7
    return Servicer("mirrorstack", "0.1.0", policies, EnforcementLevel.ADVISORY, *nothing_more)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every time that the SDK reads a resource."""
    found: list[object] = []

    def noted(properties: dict[str, Any], *more: bool) -> object:
        found.append(properties)
        return deserialize_properties(properties, *more)

    monkeypatch.setattr(sdk, "deserialize_properties", noted)
    return found


def analyzed(servicer: Servicer, given: PolicyResource) -> list[str]:
    properties = json_format.ParseDict(plain(given.props), struct_pb2.Struct())
    request = analyzer_pb2.AnalyzeRequest(
        type=given.resource_type, name="it", urn="urn:it", properties=properties
    )
    return [one.policyName for one in servicer.Analyze(request, None).diagnostics]


def test_only_the_rules_about_a_type_read_its_resources(
    servicer: Servicer, reads: list[object]
) -> None:
    unwritable = {"name": "x", "replicationFactor": 1, "config": {"min.insync.replicas": "2"}}

    assert analyzed(servicer, resource("some:other:Thing", {})) == []
    assert len(reads) == 0
    assert analyzed(servicer, resource(TOPIC, unwritable)) == ["writable-topics"]
    assert len(reads) == 1


def test_all_rules_about_a_type_are_asked(servicer: Servicer) -> None:
    wrong = connector("Checkpoint", sync_group_offsets_enabled="false", groups_exclude="billing")
    ring = stack(
        flow("east", "west", naming="identity"),
        peers={"dr": declared(flow("west", "east", naming="identity"))},
    )

    assert analyzed(servicer, wrong) == ["no-excluded-groups", "sync-group-offsets"]
    assert "no-replication-cycles" in analyzed(servicer, ring)


def test_what_reads_stack_files_is_not_imported_before_the_pack_answers() -> None:
    code = "import sys, policies.pack; sys.exit('pydantic' in sys.modules)"

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
