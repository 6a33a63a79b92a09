"""Which ACLs the previous deployment of a stack created for itself alone."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.clusters import AclMode
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.planning.previous_acls import DeployedAcl, PreviousAcls, acl_record

WRITE = Acl(
    "west",
    ResourcePattern(ResourceType.TOPIC, "east.", PatternType.PREFIXED),
    Operation.WRITE,
    "it writes",
)
STACK = "urn:pulumi:dev::mirrorstack::mirrorstack:index:MirrorStack"


def state(*more: tuple[str, str, dict[str, Any]], alias: str = "west") -> dict[str, Any]:
    """A stack with one ACL, and more resources by URN, type and outputs."""
    name = f"mirrorstack-{alias}-acls"
    outputs = {
        "aclPrincipal": "User:mirror",
        "aclHost": "*",
        "aclOperation": "Write",
        "aclResourceType": "Topic",
        "aclResourceName": "east.",
        "resourcePatternTypeFilter": "Prefixed",
    }
    resources = [
        (f"{STACK}::mirrorstack", "mirrorstack:index:MirrorStack", {}),
        (f"{STACK}$x::{name}-topic-east.-prefixed-write", "kafka:index/acl:Acl", outputs),
        *more,
    ]
    return {urn: {"type": kind, "outputs": each} for urn, kind, each in resources}


def recorded(mode: AclMode, principal: str = "mirror") -> tuple[str, str, dict[str, Any]]:
    acls = {"west": acl_record(mode, principal, [WRITE])}
    return "urn::r", "pulumi-python:dynamic/mirrorstack:DeploymentRecord", {"acls": acls}


def component(*, retained: bool) -> tuple[str, str, dict[str, Any]]:
    outputs = {"cluster": "west", "retained": retained}
    return "urn::mirrorstack-west-acls", "mirrorstack:index:Acls", outputs


def test_the_state_tells_the_cluster_of_an_acl_by_its_name() -> None:
    previous = PreviousAcls.of(state(alias="north-west"))

    (deployed,) = previous.on("north-west")
    assert (deployed.principal, deployed.acl.resource) == ("mirror", WRITE.resource)
    assert previous.on("west") == []


def test_acls_of_another_program_are_ignored() -> None:
    other = ("urn::theirs", "kafka:index/acl:Acl", {"aclOperation": "All"})

    assert len(PreviousAcls.of(state(other)).deployed) == 1


def test_an_acl_in_the_state_is_the_stack_s_own() -> None:
    """Also in that of an earlier version, which has no ACLs in its record."""
    previous = PreviousAcls.of(state())

    assert previous.owns("mirror", WRITE)
    assert not previous.owns("renamed", WRITE), "of another principal"


@pytest.mark.parametrize(("principal", "owns"), [("mirror", True), ("renamed", False)])
def test_an_acl_of_a_killed_deployment_is_in_its_record_only(principal: str, owns: bool) -> None:
    urn, kind, outputs = recorded(AclMode.MANAGED, principal)

    previous = PreviousAcls.of({urn: {"type": kind, "outputs": outputs}})

    assert previous.owns("mirror", WRITE) is owns
    assert not previous.is_deployed("mirror", WRITE)


def test_a_shared_acl_is_nobody_s_own_again() -> None:
    """It may have existed before this stack."""
    previous = PreviousAcls.of(state(recorded(AclMode.SHARED), component(retained=True)))

    assert not previous.owns("mirror", WRITE)
    assert previous.is_deployed("mirror", WRITE)


def test_an_acl_that_the_owner_took_over_is_not_owned_any_more() -> None:
    previous = PreviousAcls.of(state(recorded(AclMode.EXPORTED), component(retained=True)))

    assert not previous.owns("mirror", WRITE)


def test_pulumi_deletes_what_the_state_does_not_have_as_retained() -> None:
    """The record of a killed deployment may be ahead of the state."""
    half = PreviousAcls.of(state(recorded(AclMode.EXPORTED), component(retained=False)))
    marked = PreviousAcls.of(state(recorded(AclMode.EXPORTED), component(retained=True)))

    assert half.leaving("mirror", [WRITE]) == [WRITE]
    assert half.owns("mirror", WRITE)
    assert marked.leaving("mirror", [WRITE]) == []


def test_a_stack_that_was_never_deployed_has_none() -> None:
    assert PreviousAcls.of({}) == PreviousAcls()
    assert not PreviousAcls().owns("mirror", WRITE)


def test_the_acls_of_a_cluster_are_sorted() -> None:
    read = Acl("west", ResourcePattern(ResourceType.GROUP, "a"), Operation.READ, "")
    deployed = [DeployedAcl("mirror", each) for each in (WRITE, read)]

    assert [each.acl for each in PreviousAcls(frozenset(deployed)).on("west")] == [read, WRITE]
