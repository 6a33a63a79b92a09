"""ACLs of one principal on one cluster."""

from __future__ import annotations

from components.acls import Acls, AclsArgs
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from tests.unit.components.declaring import declare


def test_an_acl_allows_the_principal_one_operation_from_any_host() -> None:
    prefix = ResourcePattern(ResourceType.TOPIC, "east.", PatternType.PREFIXED)
    acl = Acl("west", prefix, Operation.WRITE, "it writes")

    declared = declare(lambda: Acls("acls", AclsArgs(cluster="west", principal="mm2", acls=[acl])))

    (resource,) = declared.of_type(":Acl")
    assert resource.parent == "acls"
    assert resource.inputs == {
        "aclPrincipal": "User:mm2",
        "aclHost": "*",
        "aclPermissionType": "Allow",
        "aclOperation": "Write",
        "aclResourceType": "Topic",
        "aclResourceName": "east.",
        "resourcePatternTypeFilter": "Prefixed",
    }
    assert not resource.request.retainOnDelete
    assert declared.outputs["acls"] == {
        "cluster": "west",
        "retained": False,
        "ids": [f"{resource.name}-id"],
    }


def test_shared_acls_outlive_the_stack() -> None:
    acl = Acl("west", ResourcePattern(ResourceType.TOPIC, "heartbeats"), Operation.WRITE, "")
    args = AclsArgs(cluster="west", principal="mm2", acls=[acl], retained=True)

    declared = declare(lambda: Acls("acls", args))

    (resource,) = declared.of_type(":Acl")
    assert resource.request.retainOnDelete
    assert declared.outputs["acls"]["retained"] is True
