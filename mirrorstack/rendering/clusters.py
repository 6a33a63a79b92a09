"""Client settings for a stack's clusters, with references for passwords. Nothing is contacted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath

from mirrorstack.config.clusters import ClusterSettings, Role
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.rendering.notes import note

SandboxConnection = Callable[[str, str, str], Connection]
"""The connection to a sandbox, by its name, cluster and principal."""


def used_clusters(settings: StackSettings) -> list[str]:
    """The aliases of clusters that are the source or target of a flow."""
    ends = {end for flow in settings.flows for end in (flow.source, flow.target)}
    return [alias for alias in settings.clusters if alias in ends]


def client_accesses(
    settings: StackSettings, secrets_file: str, sandbox_connection: SandboxConnection
) -> dict[str, ClientAccess]:
    """By alias. `secrets_file` will hold the passwords, each under the alias of its cluster."""
    return {
        alias: _access(
            alias,
            settings.clusters[alias],
            f"${{file:{secrets_file}:{alias}}}",
            sandbox_connection,
        )
        for alias in used_clusters(settings)
    }


def _access(
    alias: str, cluster: ClusterSettings, password: str, sandbox_connection: SandboxConnection
) -> ClientAccess:
    if cluster.sandbox is not None:
        known = sandbox_connection(cluster.sandbox, cluster.cluster or alias, Role.MIRROR)
        return known.access(alias, password)
    return ClientAccess(
        alias=alias,
        bootstrap_servers=",".join(cluster.bootstrap_servers or ()),
        principal=cluster.principal(Role.MIRROR) or "",
        password=password,
        protocol=cluster.security.protocol,
        mechanism=cluster.security.mechanism,
        # Not resolved: MirrorMaker may run on another machine, with other paths.
        ca_path=cluster.security.ca_file,
    )


def cluster_notes(settings: StackSettings, access: dict[str, ClientAccess]) -> Iterator[Finding]:
    for alias in settings.clusters:
        if alias not in access:
            yield note("no flow uses it; it is left out", cluster=alias)
            continue
        one = access[alias]
        if one.protocol.startswith("SASL_"):
            yield note(
                f"the file refers to the password of {one.principal} as {one.password}",
                "write the password to that file",
                cluster=alias,
            )
        if one.ca_path and not PurePath(one.ca_path).is_absolute():
            yield note(
                f"ca-file is {one.ca_path}: MirrorMaker resolves it from its working directory",
                "start MirrorMaker in the directory that contains it",
                cluster=alias,
            )
