"""The ACLs of the mirroring principal on one cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kafka as kafka

from mirrorstack.kafka.acls import Acl


@dataclass(frozen=True, kw_only=True)
class AclsArgs:
    cluster: str
    """The alias."""
    principal: str
    """The user name of MM2 on this cluster."""
    acls: Sequence[Acl]
    retained: bool = False
    """Whether the ACLs outlive the stack."""


class Acls(pulumi.ComponentResource):
    """Exactly the derived ACLs of one principal on one cluster. The next deployment finds them in
    the state by their names and by the outputs."""

    def __init__(
        self, name: str, args: AclsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:Acls", name, None, opts)
        self.resources = [
            kafka.Acl(
                f"{name}-{acl.label}",
                acl_principal=f"User:{args.principal}",
                acl_host="*",
                acl_permission_type="Allow",
                acl_operation=acl.operation.value,
                acl_resource_type=acl.resource.type.value,
                acl_resource_name=acl.resource.name,
                resource_pattern_type_filter=acl.resource.pattern.value,
                opts=pulumi.ResourceOptions(parent=self, retain_on_delete=args.retained),
            )
            for acl in args.acls
        ]
        self.register_outputs(
            {
                "cluster": args.cluster,
                # Registered after the ACLs: by then the state has them as retained.
                "retained": args.retained,
                "ids": pulumi.Output.all(*(acl.id for acl in self.resources)),
            }
        )
