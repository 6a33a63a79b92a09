"""What a deployment exports about ACLs."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from mirrorstack.config.clusters import AclMode
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.planning.cluster_acls import ClusterAcls
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.deployment import ClusterDeployment
from tests.unit.planning.fake_clusters import sandbox_connection

READ = Acl("east", ResourcePattern(ResourceType.TOPIC, "orders"), Operation.READ, "it reads")
MIRROR = KafkaCluster("east", sandbox_connection("default", "east", "mirror"), "start it")
CLUSTER = ClusterDeployment(
    mirror=MIRROR,
    mirror_password=PasswordReference(sandbox="default", cluster="east", principal="mirror"),
    admin=MIRROR,
    acls=ClusterAcls(AclMode.MANAGED, "mirror", (READ,), (READ,)),
)


def test_the_acls_of_a_cluster_are_exported_with_its_address() -> None:
    exported = replace(CLUSTER, acls=ClusterAcls(AclMode.EXPORTED, "mirror", (READ,)))

    (command,) = exported.acl_outputs["commands"]

    assert command.startswith("kafka-acls --bootstrap-server east.default:9093")


def test_it_is_frozen_and_shows_no_password() -> None:
    assert "password-of" not in repr(CLUSTER)
    with pytest.raises(FrozenInstanceError):
        CLUSTER.admin = None  # type: ignore[misc]
