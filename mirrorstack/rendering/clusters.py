"""How MirrorMaker reaches a stack's clusters, passwords by reference. Nothing is contacted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from mirrorstack.config.clusters import ClusterSettings, Role
from mirrorstack.config.settings import StackSettings
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.notes import Note
from mirrorstack.sandbox.connection import connection


def used(settings: StackSettings) -> list[str]:
    """The clusters that a flow leaves or reaches; the others MirrorMaker need not know."""
    ends = {end for flow in settings.flows for end in (flow.source, flow.target)}
    return [alias for alias in settings.clusters if alias in ends]


def accesses(settings: StackSettings, secrets_file: str) -> dict[str, ClientAccess]:
    """By alias. `secrets_file` is where the passwords will be, each under its cluster's alias."""
    return {
        alias: _access(alias, settings.clusters[alias], f"${{file:{secrets_file}:{alias}}}")
        for alias in used(settings)
    }


def _access(alias: str, cluster: ClusterSettings, password: str) -> ClientAccess:
    if cluster.sandbox is not None:
        known = connection(cluster.sandbox, cluster.cluster or alias, Role.MIRROR)
        return known.access(alias, password)
    return ClientAccess(
        alias=alias,
        bootstrap_servers=",".join(cluster.bootstrap_servers or ()),
        principal=cluster.principal(Role.MIRROR) or "",
        password=password,
        protocol=cluster.security.protocol,
        mechanism=cluster.security.mechanism,
        # As it is written: where MirrorMaker will run, this machine's paths mean nothing.
        ca_path=cluster.security.ca_file,
    )


def about_clusters(settings: StackSettings, access: dict[str, ClientAccess]) -> Iterator[Note]:
    for alias in settings.clusters:
        if alias not in access:
            yield Note(alias, "no flow leaves or reaches it, so it is left out")
            continue
        one = access[alias]
        if one.protocol.startswith("SASL_"):
            what = f"the password of {one.principal} is not in the file but referred to, as "
            yield Note(alias, f"{what}{one.password}: put it there")
        if one.ca_path and not PurePath(one.ca_path).is_absolute():
            what = f"ca-file is {one.ca_path}: MirrorMaker looks for it from the directory that "
            yield Note(alias, f"{what}it is started in")
