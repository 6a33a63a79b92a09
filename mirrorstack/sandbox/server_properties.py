"""server.properties of a node, and the format that Java reads such files in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mirrorstack.sandbox.certificates import distinguished_name
from mirrorstack.sandbox.names import Principal
from mirrorstack.sandbox.nodes import Node

CLIENT, CONTROLLER = "CLIENT", "CONTROLLER"
MECHANISM = "SCRAM-SHA-512"


def server_properties(
    node: Node, cluster_nodes: Sequence[Node], ca: Path, broker_password: str
) -> dict[str, str]:
    """Every setting of one node, in the order a reader wants them."""
    return {
        **_identity(node, cluster_nodes),
        **_security(node, cluster_nodes, ca, broker_password),
        **_replication(len(cluster_nodes)),
        **_keeping(),
        **_small_machine(),
    }


def _identity(node: Node, cluster_nodes: Sequence[Node]) -> dict[str, str]:
    voters = ",".join(f"{other.id}@{other.controller_address}" for other in cluster_nodes)
    return {
        "process.roles": "broker,controller",
        "node.id": str(node.id),
        # A static quorum: the same for one node and for three, and ports may change while the
        # cluster is down, because nothing of it is written into the metadata log.
        "controller.quorum.voters": voters,
        "listeners": f"{CLIENT}://{node.address},{CONTROLLER}://{node.controller_address}",
        "advertised.listeners": f"{CLIENT}://{node.address}",
        "listener.security.protocol.map": f"{CLIENT}:SASL_SSL,{CONTROLLER}:SSL",
        "inter.broker.listener.name": CLIENT,
        "controller.listener.names": CONTROLLER,
        "log.dirs": str(node.data),
    }


def _security(
    node: Node, cluster_nodes: Sequence[Node], ca: Path, broker_password: str
) -> dict[str, str]:
    # Controllers know each other by certificate, everything else by password.
    nodes = (f"User:{distinguished_name(other.name)}" for other in cluster_nodes)
    super_users = (f"User:{Principal.ADMIN}", f"User:{Principal.BROKER}", *nodes)
    client = f"listener.name.{CLIENT.lower()}"
    return {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found": "false",
        "super.users": ";".join(super_users),
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(node.keystore),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(ca),
        "sasl.enabled.mechanisms": MECHANISM,
        "sasl.mechanism.inter.broker.protocol": MECHANISM,
        f"{client}.{MECHANISM.lower()}.sasl.jaas.config": jaas(Principal.BROKER, broker_password),
        f"listener.name.{CONTROLLER.lower()}.ssl.client.auth": "required",
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


def _keeping() -> dict[str, str]:
    return {
        # The seed's records carry timestamps of a fixed day in the past, so that they are the
        # same on every machine. Retention goes by those timestamps: with the usual seven days
        # Kafka would delete the records minutes after they were written.
        "log.retention.ms": "-1",
        # For the same reason committed offsets outlive a week without consumers: ten years.
        "offsets.retention.minutes": "5256000",
        # A mistyped topic name is an error here, as it is in production.
        "auto.create.topics.enable": "false",
    }


def _small_machine() -> dict[str, str]:
    return {
        # Kafka's 50 partitions for each internal topic cost start-up time and files, and serve
        # clusters with thousands of groups.
        "offsets.topic.num.partitions": "8",
        "transaction.state.log.num.partitions": "8",
        "share.coordinator.state.topic.num.partitions": "8",
        "num.network.threads": "2",
        "num.io.threads": "4",
        # The first consumer of a group need not wait three seconds for a second one.
        "group.initial.rebalance.delay.ms": "0",
    }


def jaas(username: str, password: str) -> str:
    module = "org.apache.kafka.common.security.scram.ScramLoginModule"
    return f'{module} required username="{username}" password="{password}";'
