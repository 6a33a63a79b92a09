"""The stack files of stacks/, adapted to sandboxes as a user adapts them to clusters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from mirrorstack.local.home import ROOT
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.pulumi_project import PulumiProject

STACKS = ROOT / "stacks"
PREFIX = "mirrorstack:"


def shipped() -> list[Path]:
    """Those for clusters of one's own."""
    return sorted(file for file in STACKS.glob("Pulumi.*.yaml") if file.stem != "Pulumi.local")


def settings_of(name: str) -> dict[str, Any]:
    config = yaml.safe_load((STACKS / f"Pulumi.{name}.yaml").read_text())["config"]
    return {key.removeprefix(PREFIX): value for key, value in config.items()}


def adapted(name: str, places: Mapping[str, tuple[Sandbox, Cluster]]) -> dict[str, Any]:
    """Only what the header of a file says: addresses, CA files, user names, number of brokers."""
    settings = settings_of(name)
    for alias, (sandbox, cluster) in places.items():
        declared = settings["clusters"][alias]
        if "sandbox" in declared:
            declared |= {"sandbox": sandbox.layout.name, "cluster": cluster}
            continue
        connection = sandbox.connection(cluster, Principal.MIRROR)
        declared["bootstrap-servers"] = [connection.bootstrap_servers]
        declared["security"]["ca-file"] = str(connection.ca_path)
        declared["brokers"] = 1
        declared["principals"] = {role: role for role in declared["principals"]}
    return settings


def set_passwords(
    project: PulumiProject,
    settings: Mapping[str, Any],
    places: Mapping[str, tuple[Sandbox, Cluster]],
) -> None:
    for alias, (sandbox, cluster) in places.items():
        for role in settings["clusters"][alias].get("principals", ()):
            password = sandbox.connection(cluster, Principal(role)).password
            key = f"{alias}-{role}-password"
            project.pulumi("config", "set", "--secret", key, password)
