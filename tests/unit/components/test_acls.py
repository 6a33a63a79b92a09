"""ACLs of one principal on one cluster."""

from __future__ import annotations

from components.acls import Acls, AclsArgs
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from tests.unit.components.declaring import declare


def test_an_acl_allows_the_principal_one_operation_from_any_host() -> None:
    prefix = ResourcePattern(ResourceType.TOPIC, "east.", PatternType.PREFIXED)
    acl = Acl("west", prefix, Operation.WRITE, "it writes")

    declared = declare(lambda: Acls("acls", AclsArgs(principal="mm2", acls=[acl])))

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
    assert declared.outputs["acls"]["ids"] == [f"{resource.name}-id"]
