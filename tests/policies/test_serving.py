"""How the pack is served: quickly, and only the rules that apply to a resource."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import json_format, struct_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import analyzer_pb2
from pulumi_policy import EnforcementLevel, Policy, PolicyResource, ResourceValidationPolicy

from mirrorstack.local.home import ROOT
from policies.adapter import policy_of
from policies.pack import RULES, Servicer
from policies.resources import TOPIC, plain
from tests.policies.harness import connector, declared, flow, resource, stack


@pytest.fixture
def policies() -> list[Policy]:
    return [policy_of(rule) for rule in RULES]


@pytest.fixture
def servicer(policies: list[Policy]) -> Servicer:
    nothing_more = [None] * 7
    return Servicer("mirrorstack", "0.1.0", policies, EnforcementLevel.ADVISORY, *nothing_more)


@pytest.fixture
def checked(policies: list[Policy], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the policies that were run, one by one."""
    names: list[str] = []

    def recorded(policy: ResourceValidationPolicy) -> Callable[..., Any]:
        validate = policy.validate

        def record(args: Any, report: Any) -> Any:
            names.append(policy.name)
            return validate(args, report)

        return record

    for policy in policies:
        if isinstance(policy, ResourceValidationPolicy):
            monkeypatch.setattr(policy, "validate", recorded(policy))
    return names


def analyzed(servicer: Servicer, given: PolicyResource) -> list[str]:
    properties = json_format.ParseDict(plain(given.props), struct_pb2.Struct())
    request = analyzer_pb2.AnalyzeRequest(
        type=given.resource_type, name="it", urn="urn:it", properties=properties
    )
    return [one.policyName for one in servicer.Analyze(request, None).diagnostics]


def test_only_the_rules_about_its_type_are_run_for_a_resource(
    servicer: Servicer, checked: list[str]
) -> None:
    unwritable = {"name": "x", "replicationFactor": 1, "config": {"min.insync.replicas": "2"}}

    assert analyzed(servicer, resource("some:other:Thing", {})) == []
    assert checked == []
    assert analyzed(servicer, resource(TOPIC, unwritable)) == ["writable-topics"]
    assert checked == ["writable-topics"]


def test_all_rules_about_a_type_are_run(servicer: Servicer) -> None:
    wrong = connector("Checkpoint", sync_group_offsets_enabled="false", groups_exclude="billing")
    cycle = stack(
        flow("east", "west", naming="identity"),
        peers={"dr": declared(flow("west", "east", naming="identity"))},
    )

    assert analyzed(servicer, wrong) == ["no-excluded-groups", "sync-group-offsets"]
    assert "no-replication-cycles" in analyzed(servicer, cycle)


def test_the_reader_of_stack_files_is_not_imported_before_the_pack_is_ready() -> None:
    code = "import sys, policies.pack; sys.exit('pydantic' in sys.modules)"

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
