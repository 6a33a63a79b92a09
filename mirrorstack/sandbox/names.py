"""What the sandbox's clusters, principals and commands are called."""

from __future__ import annotations

from enum import StrEnum

DEFAULT_NAME = "default"


class Cluster(StrEnum):
    """One of the two clusters. The names say nothing about rights: a flow may go either way."""

    EAST = "east"
    """Where applications write, and where a first flow reads."""
    WEST = "west"
    """Where a first flow writes."""


class Principal(StrEnum):
    """Who a client says it is. Each has its own password on each cluster."""

    ADMIN = "admin"
    """Super user, for administration. Not what the brokers use among themselves."""
    MIRROR = "mirror"
    """MirrorMaker. It has no grant until somebody derives its grants and makes them."""
    APP = "app"
    """Applications: may create, write and read every topic, and nothing else."""
    BROKER = "broker"
    """The brokers among themselves. Not for clients."""


CLIENT_PRINCIPALS = (Principal.ADMIN, Principal.MIRROR, Principal.APP)
"""Those a person or a program may connect as."""


def command(verb: str, name: str, *options: str) -> str:
    """The command a person types, with `--name` only where it is needed."""
    named = () if name == DEFAULT_NAME else ("--name", name)
    return " ".join(("mirrorstack", "sandbox", verb, *named, *options))
