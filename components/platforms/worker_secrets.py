"""The passwords that Connect workers need, from the config of the stack."""

from __future__ import annotations

import pulumi

from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.sandbox.connection import connection as sandbox_connection


def cluster_passwords(workers: WorkerDeployment) -> dict[str, str]:
    """Of the mirroring principals, by the alias of each cluster that the connectors reach."""
    require = pulumi.Config().require
    return {
        alias: reference.resolve(require, sandbox_connection)
        for alias, reference in workers.passwords.items()
    }


def rest_password(workers: WorkerDeployment) -> str:
    """Of the user that manages connectors through the REST API."""
    return pulumi.Config().require(workers.placement.login.password_key)
