"""A cluster as input of a resource: a provider runs in a process of its own and connects itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.connection import Connection


def as_input(cluster: KafkaCluster) -> dict[str, Any]:
    """The password is a secret before Pulumi first sees it, so the state holds only ciphertext."""
    who = cluster.connection
    return {
        "alias": cluster.alias,
        "bootstrap_servers": who.bootstrap_servers,
        "username": who.username,
        "password": pulumi.Output.secret(who.password),
        "protocol": who.protocol,
        "mechanism": who.mechanism,
        "fix": cluster.fix,
        **({"ca_path": str(who.ca_path)} if who.ca_path else {}),
    }


def from_input(given: Mapping[str, Any]) -> KafkaCluster:
    ca_path = given.get("ca_path")
    connection = Connection(
        bootstrap_servers=given["bootstrap_servers"],
        username=given["username"],
        password=given["password"],
        protocol=given["protocol"],
        mechanism=given["mechanism"],
        ca_path=Path(ca_path) if ca_path else None,
    )
    return KafkaCluster(given["alias"], connection, given["fix"])
