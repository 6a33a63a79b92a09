"""The clusters of a stack file: one of a sandbox on this machine, or one by its addresses."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from mirrorstack.config.strict import SettingsModel, Text
from mirrorstack.findings import UserError

PREFERRED_REPLICATION_FACTOR = 3


class Role(StrEnum):
    """What a principal is for. Each has a password of its own."""

    MIRROR = "mirror"
    """MirrorMaker: it gets the derived grants and no other."""
    ADMIN = "admin"
    """This stack, when it makes topics and grants."""


class SecuritySettings(SettingsModel):
    """How clients talk to a cluster."""

    protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "SASL_SSL"
    """As Kafka names it."""
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    """How passwords are proven, with `SASL_SSL` and `SASL_PLAINTEXT`."""
    ca_file: Text | None = Field(None, alias="ca-file")
    """PEM with the certificates to trust, from the project's directory. Not given: the machine's
    own. Workers read it at the same path."""

    @property
    def has_passwords(self) -> bool:
        return self.protocol.startswith("SASL_")


class PrincipalSettings(SettingsModel):
    """Who we are on a cluster. Passwords are secrets of the stack, never in this file in plain."""

    mirror: Text | None = None
    """Who MirrorMaker is. One for each stack: its grants go with the stack that made them. Its
    password: `pulumi config set --secret <alias>-mirror-password`."""
    admin: Text | None = None
    """Who makes topics and grants. Its password:
    `pulumi config set --secret <alias>-admin-password`."""


class ClusterSettings(SettingsModel):
    """A Kafka cluster. Its key in `clusters` is its alias: the prefix of mirrored topics."""

    sandbox: Text | None = None
    """The name of the sandbox on this machine that it belongs to; it knows the rest."""
    cluster: Literal["east", "west"] | None = None
    """Which of the sandbox's clusters; not given: the one that is called like the alias."""
    bootstrap_servers: Annotated[tuple[Text, ...], Field(min_length=1)] | None = Field(
        None, alias="bootstrap-servers"
    )
    """Where a cluster outside of sandboxes listens: a list of `host:port`."""
    security: SecuritySettings = SecuritySettings()
    """How to talk to it."""
    principals: PrincipalSettings = PrincipalSettings()
    """Who we are there."""
    brokers: Annotated[int, Field(ge=1)] | None = None
    """How many brokers it has when none is down; not given: as many as answer now. Replication
    factors follow from it, so a broker that is away for a while changes nothing."""
    replication_factor: Annotated[int, Field(ge=1)] | None = Field(None, alias="replication-factor")
    """Of the topics that this stack makes here; not given: 3, or as many as there are brokers."""
    read_only: bool = Field(False, alias="read-only")
    """Nothing is ever written here, not even by MirrorMaker."""
    administer: bool = True
    """Whether this stack may create grants and topics here. If not, it exports the grants for the
    cluster's owner, and sees only what its mirroring principal may see."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """Who this stack must be able to be."""
        return (Role.MIRROR, Role.ADMIN) if self.administer else (Role.MIRROR,)

    def principal(self, role: Role) -> str | None:
        return self.principals.mirror if role is Role.MIRROR else self.principals.admin

    def factor(self, live_brokers: int) -> int:
        """How often the records of a topic are kept here."""
        brokers = self.brokers or live_brokers
        return self.replication_factor or min(PREFERRED_REPLICATION_FACTOR, brokers)


def password_key(alias: str, role: Role) -> str:
    """The key of the stack's config that holds a password, as a secret."""
    return f"{alias}-{role}-password"


def check_cluster(alias: str, cluster: ClusterSettings, where: str) -> None:
    at = f"{where}: clusters.{alias}"
    if (cluster.sandbox is None) == (cluster.bootstrap_servers is None):
        raise UserError(
            f"{at} must have either `sandbox` or `bootstrap-servers`, and has "
            f"{'neither' if cluster.sandbox is None else 'both'}.",
            "name the sandbox, or list the addresses: `bootstrap-servers: [kafka-1.example:9093]`",
        )
    if cluster.sandbox is not None:
        _check_sandbox(alias, cluster, where)
    else:
        _check_addresses(cluster, at)
        _check_principals(cluster, at)
    if cluster.replication_factor and cluster.brokers:
        check_factor(alias, cluster.replication_factor, cluster.brokers, where)


def check_factor(alias: str, factor: int, brokers: int, where: str) -> None:
    if factor > brokers:
        raise UserError(
            f"{where}: clusters.{alias}.replication-factor is {factor}, and {alias} has {brokers} "
            "brokers: Kafka keeps at most one replica on each.",
            f"make it {brokers} or less",
        )


def _check_sandbox(alias: str, cluster: ClusterSettings, where: str) -> None:
    for key in ("security", "principals"):
        if getattr(cluster, key) != type(getattr(cluster, key))():
            raise UserError(
                f"{where}: clusters.{alias} is of the sandbox {cluster.sandbox}, which knows its "
                f"{key} itself.",
                f"remove `{key}`",
            )
    if cluster.cluster is None and alias not in ("east", "west"):
        raise UserError(
            f"{where}: clusters: {alias} is called like neither of the sandbox's clusters.",
            f"say which one it is: `cluster: east` or `cluster: west` under {alias}",
        )


def _check_addresses(cluster: ClusterSettings, at: str) -> None:
    if cluster.cluster is not None:
        raise UserError(
            f"{at}.cluster is {cluster.cluster}, which says which of a sandbox's clusters it is.",
            "remove it: `bootstrap-servers` says where this one is",
        )
    for address in cluster.bootstrap_servers or ():
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536 or "," in address:
            raise UserError(
                f"{at}.bootstrap-servers has {address!r}, which is not host:port.",
                "write each address as one entry, such as kafka-1.example:9093",
            )


def _check_principals(cluster: ClusterSettings, at: str) -> None:
    if not cluster.security.has_passwords:
        return
    for role in cluster.roles:
        if cluster.principal(role) is None:
            raise UserError(
                f"{at}.principals.{role} is missing: with {cluster.security.protocol} a client "
                "has to say who it is.",
                f"name the user under `principals`, as in `{role}: mirrorstack`"
                + ("; or say `administer: false`" if role is Role.ADMIN else ""),
            )
