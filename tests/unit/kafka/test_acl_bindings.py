"""The ACLs that a principal has on a cluster."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from confluent_kafka import KafkaError
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
)
from confluent_kafka.admin import ResourceType as AclResourceType

from mirrorstack.findings import UserError
from mirrorstack.kafka.acl_bindings import AclKey, PrincipalAcls, acl_key, describe_acls
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from tests.unit.kafka.fakes import FakeAdmin, cluster, failed

PREFIXED = ResourcePattern(ResourceType.TOPIC, "east.", PatternType.PREFIXED)
ACL = Acl("west", PREFIXED, Operation.DESCRIBE_CONFIGS, "")


def binding(host: str = "*") -> AclBinding:
    return AclBinding(
        AclResourceType.TOPIC, "east.", ResourcePatternType.PREFIXED, "User:mirror", host,
        AclOperation.DESCRIBE_CONFIGS, AclPermissionType.ALLOW,
    )  # fmt: skip


def described(answer: object) -> PrincipalAcls:
    return describe_acls(cluster(FakeAdmin({"describe_acls": answer})), "mirror")


def test_acls_exist_only_with_the_same_resource_pattern() -> None:
    literal = Acl("west", ResourcePattern(ResourceType.TOPIC, "east."), ACL.operation, "")

    assert described([binding()]).existing([ACL, literal]) == [ACL]


def test_an_acl_for_one_host_is_not_the_same() -> None:
    assert described([binding("10.0.0.1")]).existing([ACL]) == []


def test_a_transactional_id_has_the_same_key_on_both_sides() -> None:
    there = AclBinding(
        AclResourceType.TRANSACTIONAL_ID, "t", ResourcePatternType.LITERAL, "User:mirror", "*",
        AclOperation.WRITE, AclPermissionType.ALLOW,
    )  # fmt: skip
    ours = Acl("west", ResourcePattern(ResourceType.TRANSACTIONAL_ID, "t"), Operation.WRITE, "")

    assert described([there]).keys == {acl_key(ours)}
    assert acl_key(ours) == AclKey("transactionalid", "t", "literal", "write")


def test_brokers_without_an_authorizer_are_recognized() -> None:
    assert described(failed(KafkaError.SECURITY_DISABLED)) == PrincipalAcls(has_authorizer=False)


def test_who_may_not_describe_acls_still_learns_that_there_is_an_authorizer() -> None:
    answered = described(failed(KafkaError.CLUSTER_AUTHORIZATION_FAILED))

    assert (answered.has_authorizer, answered.is_known) == (True, False)


DESCRIBES = SimpleNamespace(
    authorized_operations=[AclOperation.DESCRIBE], nodes=[SimpleNamespace(id=1)]
)


@pytest.mark.parametrize(
    ("described_cluster", "authorizer", "answer"),
    [
        (DESCRIBES, "org.apache.kafka.StandardAuthorizer", PrincipalAcls()),
        (DESCRIBES, "", PrincipalAcls(has_authorizer=False)),
        (DESCRIBES, None, PrincipalAcls()),
        (DESCRIBES, failed(KafkaError.CLUSTER_AUTHORIZATION_FAILED), PrincipalAcls()),
        (SimpleNamespace(authorized_operations=[]), "", PrincipalAcls(is_known=False)),
    ],
)
def test_an_answer_without_acls_is_looked_into(
    described_cluster: object, authorizer: object, answer: PrincipalAcls
) -> None:
    """The client reports no error where the broker does."""
    configs = authorizer
    if not isinstance(authorizer, Exception):
        configs = {"authorizer.class.name": SimpleNamespace(value=authorizer)}
    admin = FakeAdmin(
        {
            "describe_acls": [],
            "describe_cluster": described_cluster,
            "describe_configs": {"1": configs},
        }
    )

    assert describe_acls(cluster(admin), "mirror") == answer


def test_any_other_failure_is_an_error() -> None:
    with pytest.raises(UserError, match="Cluster east at east:9093: request as mirror failed"):
        described(failed(KafkaError.INVALID_REQUEST))
