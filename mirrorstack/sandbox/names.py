"""The names of the sandbox's clusters, principals and commands."""

from __future__ import annotations

from enum import StrEnum

DEFAULT_NAME = "default"


class Cluster(StrEnum):
    """One of the two clusters. Flows in both directions are possible."""

    EAST = "east"
    """Applications write here; the source of the demo's flow."""
    WEST = "west"
    """The target of the demo's flow."""


class Principal(StrEnum):
    """A user name; each has its own password on each cluster."""

    ADMIN = "admin"
    """Super user, for administration. The brokers use `broker` among themselves."""
    MIRROR = "mirror"
    """MirrorMaker. It has no ACLs until a stack declares them."""
    APP = "app"
    """Applications: may create, write and read every topic, and nothing else."""
    BROKER = "broker"
    """For connections between brokers. Not for clients."""


CLIENT_PRINCIPALS = (Principal.ADMIN, Principal.MIRROR, Principal.APP)
"""Those that clients may use."""


def command(verb: str, name: str, *options: str) -> str:
    """The command line of `mirrorstack sandbox`, with `--name` unless it is the default."""
    named = () if name == DEFAULT_NAME else ("--name", name)
    return " ".join(("mirrorstack", "sandbox", verb, *named, *options))
