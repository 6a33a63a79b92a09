"""`clusters` of a stack file: a cluster of the sandbox on this machine, or one by its addresses."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from mirrorstack.config.base import SettingsModel, Text
from mirrorstack.config.strimzi_clusters import StrimziClusterSettings, check_strimzi_cluster
from mirrorstack.findings import Finding, KeyPath

PREFERRED_REPLICATION_FACTOR = 3
SANDBOX_CLUSTERS = ("east", "west")


class Role(StrEnum):
    """What a principal is used for. Each role has its own password."""

    MIRROR = "mirror"
    """MirrorMaker's principal: it is granted the derived ACLs and nothing else."""
    ADMIN = "admin"
    """The principal with which this stack creates topics and ACLs."""


class AclMode(StrEnum):
    """Who creates and deletes the ACLs of MirrorMaker's principal on a cluster."""

    MANAGED = "managed"
    """The stack creates them and deletes them with itself: the principal is its own."""
    SHARED = "shared"
    """The stack creates those that are missing and deletes none: other stacks use the principal."""
    EXPORTED = "exported"
    """The cluster's owner: the stack exports commands."""
    NONE = "none"
    """Nobody, or somebody without this stack's help."""


class SecuritySettings(SettingsModel):
    """How clients connect to a cluster."""

    protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "SASL_SSL"
    """`PLAINTEXT`, `SSL`, `SASL_PLAINTEXT` or `SASL_SSL` (`security.protocol`)."""
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    """`PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`, for the SASL protocols (`sasl.mechanism`)."""
    ca_file: Text | None = Field(None, alias="ca-file")
    """PEM file with the CA certificates to trust, relative to the project directory
    (`ssl.truststore.location`; workers that do not run on this machine get the certificates
    themselves). Default: the CA certificates of the machine."""

    @property
    def has_passwords(self) -> bool:
        return self.protocol.startswith("SASL_")


class PrincipalSettings(SettingsModel):
    """User names on a cluster. Their passwords are Pulumi secrets."""

    mirror: Text | None = None
    """User name of MirrorMaker. Use one for each stack, or see `acls`. Password:
    `pulumi config set --secret <alias>-mirror-password`."""
    admin: Text | None = None
    """User name with which the stack creates topics and ACLs. Password:
    `pulumi config set --secret <alias>-admin-password`."""


class ClusterSettings(SettingsModel):
    """A Kafka cluster. Its key in `clusters` is its alias: the prefix of target topics
    (`source.cluster.alias`, `target.cluster.alias`)."""

    sandbox: Text | None = None
    """Name of the sandbox on this machine that runs the cluster. Its addresses, security and
    principals are known."""
    cluster: Literal["east", "west"] | None = None
    """Cluster of the sandbox: `east` or `west`. Default: the alias."""
    bootstrap_servers: Annotated[tuple[Text, ...], Field(min_length=1)] | None = Field(
        None, alias="bootstrap-servers"
    )
    """Addresses of a cluster outside a sandbox, a list of `host:port` (`bootstrap.servers`)."""
    security: SecuritySettings = SecuritySettings()
    """How clients connect."""
    principals: PrincipalSettings = PrincipalSettings()
    """User names."""
    brokers: Annotated[int, Field(ge=1)] | None = None
    """Number of brokers when none is down. The defaults of `replication-factor` here and of
    `heap-mb` of workers that read from here depend on it. Default: the number of live brokers,
    which changes when one is down; for `heap-mb` 3, or the number of addresses if it is larger."""
    replication_factor: Annotated[int, Field(ge=1)] | None = Field(None, alias="replication-factor")
    """Replication factor of the topics that the stack and MirrorMaker create on this cluster
    (`replication.factor`). Default: 3, or the number of brokers if it is smaller."""
    read_only: bool = Field(False, alias="read-only")
    """Whether writing to this cluster is forbidden, for the stack and for MirrorMaker."""
    administer: bool = True
    """Whether the stack creates ACLs and topics on this cluster. If `false`, it exports the ACLs
    for the cluster's owner, and reads only what MirrorMaker's principal may read."""
    acls: AclMode | None = None
    """ACLs of MirrorMaker's principal. `managed`: created and deleted with the stack; refused if
    one exists that this stack did not create. `shared`: other stacks use the principal, so ACLs
    outlive this stack; set it in each of them. `exported`: the stack creates none, and the stack
    output `acls` has `kafka-acls` commands for the cluster's owner. `none`: the stack neither
    creates nor exports any. Default: `managed`, or `exported` with `administer: false`. Without an
    authorizer on the brokers, none are created."""
    strimzi: StrimziClusterSettings | None = None
    """Strimzi's operators run the cluster, and create what the stack declares there as KafkaTopics
    and as ACLs of a KafkaUser. Default: the stack creates topics and ACLs through Kafka's API."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """The principals that this stack uses."""
        return (Role.MIRROR, Role.ADMIN) if self.administer else (Role.MIRROR,)

    @property
    def acl_mode(self) -> AclMode:
        """`acls` with its default."""
        return self.acls or (AclMode.MANAGED if self.administer else AclMode.EXPORTED)

    def principal(self, role: Role) -> str | None:
        return self.principals.mirror if role is Role.MIRROR else self.principals.admin

    def factor(self, live_brokers: int) -> int:
        """The replication factor of topics on this cluster."""
        brokers = self.brokers or live_brokers
        return self.replication_factor or min(PREFERRED_REPLICATION_FACTOR, brokers)


def password_key(alias: str, role: Role) -> str:
    """The config key of the stack that holds a password, as a secret."""
    return f"{alias}-{role}-password"


def check_cluster(alias: str, cluster: ClusterSettings) -> Iterator[Finding]:
    """What is wrong with a cluster whose single values are valid."""
    path: KeyPath = ("clusters", alias)
    if (cluster.sandbox is None) == (cluster.bootstrap_servers is None):
        given = "neither" if cluster.sandbox is None else "both"
        yield Finding.at(
            path,
            f"must have either `sandbox` or `bootstrap-servers`, and has {given}",
            "name the sandbox, or list the addresses: `bootstrap-servers: [kafka-1.example:9093]`",
            cluster=alias,
        )
    elif cluster.sandbox is not None:
        yield from _check_sandbox(alias, cluster, path)
    else:
        yield from _check_addresses(alias, cluster, path)
        yield from _check_principals(alias, cluster, path)
    if cluster.replication_factor and cluster.brokers:
        yield from check_factor(alias, cluster.replication_factor, cluster.brokers)
    if cluster.strimzi is not None:
        yield from check_strimzi_cluster(
            alias,
            cluster.strimzi,
            administer=cluster.administer,
            sandbox=cluster.sandbox is not None,
            shared=cluster.acl_mode is AclMode.SHARED,
            has_principal=cluster.principals.mirror is not None
            or cluster.acl_mode is not AclMode.MANAGED,
        )
    if not cluster.administer and cluster.acls in (AclMode.MANAGED, AclMode.SHARED):
        yield Finding.at(
            (*path, "acls"),
            f"`{cluster.acls}` is not possible with `administer: false`, with which the stack "
            "creates nothing on the cluster",
            "remove `acls`: the stack exports commands for the cluster's owner; or remove "
            "`administer`",
            cluster=alias,
        )


def check_factor(alias: str, factor: int, brokers: int) -> Iterator[Finding]:
    if factor > brokers:
        yield Finding.at(
            ("clusters", alias, "replication-factor"),
            f"{factor} is more than the {brokers} brokers of {alias}; Kafka keeps at most one "
            "replica on each broker",
            f"set it to {brokers} or less",
            cluster=alias,
        )


def _check_sandbox(alias: str, cluster: ClusterSettings, path: KeyPath) -> Iterator[Finding]:
    for key in ("security", "principals"):
        if getattr(cluster, key) != type(getattr(cluster, key))():
            yield Finding.at(
                (*path, key),
                f"must not be set for a cluster of the sandbox {cluster.sandbox}, which has its "
                "own",
                f"remove `{key}`",
                cluster=alias,
            )
    if cluster.cluster is None and alias not in SANDBOX_CLUSTERS:
        yield Finding.at(
            path,
            f"the sandbox has no cluster {alias}",
            f"add `cluster: east` or `cluster: west` to {alias}",
            cluster=alias,
        )


def _check_addresses(alias: str, cluster: ClusterSettings, path: KeyPath) -> Iterator[Finding]:
    if cluster.cluster is not None:
        yield Finding.at(
            (*path, "cluster"),
            "selects a cluster of a sandbox, and this cluster has `bootstrap-servers`",
            "remove `cluster`",
            cluster=alias,
        )
    for index, address in enumerate(cluster.bootstrap_servers or ()):
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536 or "," in address:
            yield Finding.at(
                (*path, "bootstrap-servers", index),
                f'"{address}" is not host:port',
                "write each address as one entry, such as kafka-1.example:9093",
                cluster=alias,
            )


def _check_principals(alias: str, cluster: ClusterSettings, path: KeyPath) -> Iterator[Finding]:
    if not cluster.security.has_passwords:
        return
    for role in cluster.roles:
        if cluster.principal(role) is None:
            yield Finding.at(
                (*path, "principals", role.value),
                f"required with {cluster.security.protocol}, and missing",
                f"set the user name, such as `{role}: mirrorstack`"
                + (", or `administer: false` on the cluster" if role is Role.ADMIN else ""),
                cluster=alias,
            )
