"""Clusters of a stack file: of a sandbox, or by their addresses."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.clusters import AclMode, ClusterSettings, Role, check_cluster
from mirrorstack.findings import Finding
from tests.unit.config.stacks import USERS, outside_cluster, settings_with


def findings(alias: str = "east", /, **changes: Any) -> list[Finding]:
    return list(check_cluster(alias, ClusterSettings.model_validate(outside_cluster(**changes))))


def sandboxed(alias: str = "east", /, **more: Any) -> list[Finding]:
    return list(check_cluster(alias, ClusterSettings.model_validate({"sandbox": "a", **more})))


def test_a_cluster_is_in_a_sandbox_or_has_addresses() -> None:
    assert settings_with(outside_cluster()).clusters["east"].security.protocol == "SASL_SSL"
    assert sandboxed() == []
    (neither,) = findings(**{"bootstrap-servers": None})
    assert neither.message.startswith("clusters.east: must have either")
    assert neither.message.endswith("has neither")
    (both,) = findings(sandbox="default")
    assert both.message.endswith("has both")


def test_a_sandbox_cluster_has_its_own_principals_and_security() -> None:
    (finding,) = sandboxed(principals=USERS)

    assert finding.path == ("clusters", "east", "principals")
    assert finding.fix == "remove `principals`"


def test_cluster_selects_a_cluster_of_a_sandbox_only() -> None:
    (finding,) = findings(cluster="east")

    assert "selects a cluster of a sandbox" in finding.message


def test_an_alias_that_is_not_a_sandbox_cluster_needs_cluster() -> None:
    (finding,) = sandboxed("north")

    assert finding.fix == "add `cluster: east` or `cluster: west` to north"
    assert sandboxed("north", cluster="east") == []


@pytest.mark.parametrize("address", ["kafka", "kafka:", ":9092", "kafka:0", "a:1,b:2", "k:99999"])
def test_an_address_must_be_a_host_and_a_port(address: str) -> None:
    (finding,) = findings(**{"bootstrap-servers": ["kafka:9092", address]})

    assert finding.message == f'clusters.east.bootstrap-servers[1]: "{address}" is not host:port'


def test_sasl_needs_user_names() -> None:
    (mirror,) = findings(principals={"admin": "platform"})
    assert mirror.path == ("clusters", "east", "principals", "mirror")
    (admin,) = findings(principals={"mirror": "mm2"})
    assert "`administer: false`" in admin.fix
    assert findings(principals={"mirror": "mm2"}, administer=False) == []
    assert findings(principals=None, security={"protocol": "PLAINTEXT"}) == []


def test_all_mistakes_of_a_cluster_are_found_at_once() -> None:
    found = findings(cluster="east", principals=None, brokers=2, **{"replication-factor": 3})

    assert [finding.key for finding in found] == [
        "clusters.east.cluster",
        "clusters.east.principals.mirror",
        "clusters.east.principals.admin",
        "clusters.east.replication-factor",
    ]
    assert {finding.cluster for finding in found} == {"east"}


@pytest.mark.parametrize(("live", "factor"), [(1, 1), (2, 2), (3, 3), (12, 3)])
def test_the_default_replication_factor_is_three_or_the_number_of_brokers(
    live: int, factor: int
) -> None:
    assert ClusterSettings().factor(live) == factor


def test_a_broker_that_is_down_does_not_change_the_replication_factor() -> None:
    assert ClusterSettings(brokers=3).factor(live_brokers=2) == 3


def test_a_replication_factor_above_the_number_of_brokers_is_an_error() -> None:
    (finding,) = findings(brokers=2, **{"replication-factor": 3})

    assert "replication-factor: 3 is more than the 2 brokers of east" in finding.message


def test_a_cluster_that_the_stack_does_not_administer_needs_no_admin() -> None:
    assert ClusterSettings(administer=False).roles == (Role.MIRROR,)


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({}, AclMode.MANAGED),
        ({"administer": False}, AclMode.EXPORTED),
        ({"administer": False, "acls": "none"}, AclMode.NONE),
        ({"acls": "shared"}, AclMode.SHARED),
        ({"acls": "exported"}, AclMode.EXPORTED),
    ],
)
def test_acls_are_managed_unless_the_stack_may_not_administer_the_cluster(
    given: dict[str, Any], mode: AclMode
) -> None:
    assert ClusterSettings.model_validate(given).acl_mode is mode


@pytest.mark.parametrize("acls", ["managed", "shared"])
def test_acls_cannot_be_created_on_a_cluster_that_is_not_administered(acls: str) -> None:
    (finding,) = findings(principals={"mirror": "mm2"}, administer=False, acls=acls)

    assert finding.message.startswith(
        f"clusters.east.acls: `{acls}` is not possible with `administer: false`"
    )
    assert findings(principals={"mirror": "mm2"}, administer=False, acls="exported") == []
