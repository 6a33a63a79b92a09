"""The Connect groups of a deployed stack, from its state: where their REST APIs are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.rest_login import RestLogin, Secrets
from mirrorstack.findings import UserError
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.planning.previous_state import WORKERS_TYPE


@dataclass(frozen=True)
class DeployedGroup:
    """The workers of one target."""

    target: str
    rest_url: str
    login: RestLogin = field(default_factory=RestLogin)

    def client(self, secret: Secrets) -> ConnectClient:
        return self.login.client(self.rest_url, secret)


def deployed_groups(state: Mapping[str, Any], stack: str) -> list[DeployedGroup]:
    """`state` is the stack's deployment, as Pulumi exports it. An error if it has no workers, or
    none with a REST API."""
    deployed = [
        outputs
        for resource in state.get("resources") or ()
        if resource["type"] == WORKERS_TYPE
        and (outputs := resource.get("outputs") or {}).get("rest_url")
    ]
    groups = [
        DeployedGroup(
            outputs["target"],
            outputs["rest_url"],
            RestLogin.of(outputs),
        )
        for outputs in deployed
        if outputs.get("naming", ConnectorNaming.STACK) == ConnectorNaming.STACK
    ]
    if deployed and not groups:
        targets = ", ".join(outputs["target"] for outputs in deployed)
        raise UserError(
            f"the workers of stack {stack} at {targets} have no REST API for single connectors",
            "restart the process, container or pods; they do so themselves when a task has FAILED, "
            f"and `pulumi up -s {stack}` reports what does not recover",
        )
    if not groups:
        raise UserError(
            f"stack {stack} has no deployed Connect workers", f"run `pulumi up -s {stack}`"
        )
    return groups
