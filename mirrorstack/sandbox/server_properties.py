"""server.properties of a node."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mirrorstack.sandbox.certificates import distinguished_name
from mirrorstack.sandbox.names import Principal
from mirrorstack.sandbox.nodes import Node

CLIENT, CONTROLLER = "CLIENT", "CONTROLLER"
MECHANISM = "SCRAM-SHA-512"


def server_properties(
    node: Node,
    cluster_nodes: Sequence[Node],
    ca: Path,
    broker_password: str,
    *,
    authorizer: bool = True,
) -> dict[str, str]:
    """All settings of one node."""
    return {
        **_identity(node, cluster_nodes),
        **_authentication(node, ca, broker_password),
        **(_authorization(cluster_nodes) if authorizer else {}),
        **_replication(len(cluster_nodes)),
        **_retention(),
        **_small_machine(),
    }


def _identity(node: Node, cluster_nodes: Sequence[Node]) -> dict[str, str]:
    voters = ",".join(f"{other.id}@{other.controller_address}" for other in cluster_nodes)
    return {
        "process.roles": "broker,controller",
        "node.id": str(node.id),
        # A static quorum: the same for one node and for three, and ports may change while the
        # cluster is down, because the voters are not in the metadata log.
        "controller.quorum.voters": voters,
        "listeners": f"{CLIENT}://{node.address},{CONTROLLER}://{node.controller_address}",
        "advertised.listeners": f"{CLIENT}://{node.address}",
        "listener.security.protocol.map": f"{CLIENT}:SASL_SSL,{CONTROLLER}:SSL",
        "inter.broker.listener.name": CLIENT,
        "controller.listener.names": CONTROLLER,
        "log.dirs": str(node.data),
    }


def _authentication(node: Node, ca: Path, broker_password: str) -> dict[str, str]:
    client = f"listener.name.{CLIENT.lower()}"
    return {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(node.keystore),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(ca),
        "sasl.enabled.mechanisms": MECHANISM,
        "sasl.mechanism.inter.broker.protocol": MECHANISM,
        f"{client}.{MECHANISM.lower()}.sasl.jaas.config": jaas(Principal.BROKER, broker_password),
        f"listener.name.{CONTROLLER.lower()}.ssl.client.auth": "required",
    }


def _authorization(cluster_nodes: Sequence[Node]) -> dict[str, str]:
    # Controllers authenticate by certificate, all other clients by password.
    nodes = (f"User:{distinguished_name(other.name)}" for other in cluster_nodes)
    super_users = (f"User:{Principal.ADMIN}", f"User:{Principal.BROKER}", *nodes)
    return {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found": "false",
        "super.users": ";".join(super_users),
    }


def _replication(brokers: int) -> dict[str, str]:
    factor, in_sync = str(min(3, brokers)), str(min(2, brokers))
    return {
        "default.replication.factor": factor,
        "offsets.topic.replication.factor": factor,
        "transaction.state.log.replication.factor": factor,
        "transaction.state.log.min.isr": in_sync,
        "share.coordinator.state.topic.replication.factor": factor,
        "share.coordinator.state.topic.min.isr": in_sync,
    }


def _retention() -> dict[str, str]:
    return {
        # The test data has timestamps of a fixed day in the past, so that it is the same on every
        # machine. Retention uses those timestamps: with the default of seven days Kafka would
        # delete the records minutes after they were written.
        "log.retention.ms": "-1",
        # For the same reason committed offsets are kept for ten years without consumers.
        "offsets.retention.minutes": "5256000",
        # A mistyped topic name is an error, as in production.
        "auto.create.topics.enable": "false",
    }


def _small_machine() -> dict[str, str]:
    return {
        # Kafka's default of 50 partitions for each internal topic costs start-up time and files,
        # and is for clusters with thousands of groups.
        "offsets.topic.num.partitions": "8",
        "transaction.state.log.num.partitions": "8",
        "share.coordinator.state.topic.num.partitions": "8",
        "num.network.threads": "2",
        "num.io.threads": "4",
        # The first consumer of a group does not wait three seconds for a second one.
        "group.initial.rebalance.delay.ms": "0",
    }


def jaas(username: str, password: str) -> str:
    module = "org.apache.kafka.common.security.scram.ScramLoginModule"
    return f'{module} required username="{username}" password="{password}";'
