"""ACLs as the `authorization` of a KafkaUser."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.strimzi.kafka_users import authorization_acls, kafka_user_patch, other_owners
from tests.unit.kubernetes.strimzi_examples import wrong_fields
from tests.unit.strimzi.clusters import strimzi_cluster

PREFIX = ResourcePattern(ResourceType.TOPIC, "east.", PatternType.PREFIXED)
ACLS = [
    Acl("west", PREFIX, Operation.WRITE, "it writes"),
    Acl("west", ResourcePattern(ResourceType.TRANSACTIONAL_ID, "mm2"), Operation.WRITE, ""),
    Acl("west", ResourcePattern(ResourceType.GROUP, "billing"), Operation.READ, ""),
    Acl("west", PREFIX, Operation.CREATE, "it creates"),
]


@pytest.mark.parametrize("version", ["v1", "v1beta2"])
def test_the_patch_is_valid_for_the_api_of_the_operator(version: str) -> None:
    manifest = kafka_user_patch(strimzi_cluster(version), "mirror", ACLS)

    assert wrong_fields(manifest) == []
    assert manifest["metadata"] == {
        "namespace": "kafka",
        "name": "mirror",
        "annotations": {"pulumi.com/patchFieldManager": "mirrorstack-dr"},
    }
    assert manifest["spec"].keys() == {"authorization"}, "credentials are the owner's"


def test_operations_on_one_resource_are_one_entry() -> None:
    group, prefix, transactions = authorization_acls(ACLS)

    assert prefix == {
        "resource": {"type": "topic", "name": "east.", "patternType": "prefix"},
        "operations": ["Create", "Write"],
        "host": "*",
    }
    assert group["resource"] == {"type": "group", "name": "billing", "patternType": "literal"}
    assert transactions["resource"]["type"] == "transactionalId"
    assert authorization_acls(reversed(ACLS)) == authorization_acls(ACLS)


def test_other_owners_of_the_list_are_found() -> None:
    def owning(manager: str, *fields: str) -> dict[str, Any]:
        spec: dict[str, Any] = {f"f:{field}": {} for field in fields}
        return {"manager": manager, "fieldsV1": {"f:spec": spec}}

    entries = [
        owning("kubectl", "authentication"),
        owning("flux", "authorization"),
        owning("mirrorstack-dr", "authorization"),
        {"manager": "strimzi", "fieldsV1": {"f:status": {}}},
    ]
    user = {"metadata": {"managedFields": entries}}

    assert other_owners(user, "mirrorstack-dr") == ["flux"]
    assert other_owners({"metadata": {}}, "mirrorstack-dr") == []
