"""Stacks to render: flows in every combination of settings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.rendering.clusters import client_accesses
from mirrorstack.rendering.dedicated import RenderedProperties, render_stack
from mirrorstack.sandbox.connection import connection

SECRETS = "/run/secrets/mm2.properties"
CHOICES: dict[str, tuple[Any, ...]] = {
    "naming": ("prefixed", "identity"),
    "groups": ((), ("billing", "app-.*")),
    "offset-syncs": ("source", "target"),
    "sync-group-offsets": (True, False),
    "heartbeats": (True, False),
    "exactly-once": (True, False),
    "profile": ("default", "frugal"),
    "sync-configs": ((), ("retention.ms", "cleanup.policy")),
}


def flow(source: str = "east", target: str = "west", **changes: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "topics": ["orders", "clicks"], **changes}


def variants() -> Iterator[dict[str, Any]]:
    """A flow in every combination of the choices."""
    for chosen in itertools.product(*CHOICES.values()):
        variant = dict(zip(CHOICES, chosen, strict=True))
        beats = {"heartbeat": {"emit.heartbeats.interval.seconds": "5"}}
        yield flow(
            "east",
            "west",
            **variant,
            **{
                "tasks": 5,
                "offset-lag": 7,
                "checkpoint-seconds": 9,
                "exclude-groups": ["connect-.*"],
                "override": {
                    "source": {"sync.topic.acls.interval.seconds": "30"},
                    "checkpoint": {"refresh.groups.enabled": "false"},
                    **(beats if variant["heartbeats"] else {}),
                },
            },
        )


def cluster(alias: str, **changes: Any) -> dict[str, Any]:
    return {
        "bootstrap-servers": [f"{alias}-1.example:9093", f"{alias}-2.example:9093"],
        "security": {"mechanism": "SCRAM-SHA-256", "ca-file": f"/etc/{alias}.pem"},
        "principals": {"mirror": "mm2", "admin": "mm2"},
        **changes,
    }


def stack(*flows: dict[str, Any], **changes: Any) -> StackSettings:
    """With clusters as an import declares them: a source that is only read is not administered."""
    targets = {one["to"] for one in flows}
    written = targets | {one["from"] for one in flows if one.get("offset-syncs") == "source"}
    clusters = {}
    for alias in dict.fromkeys(end for one in flows for end in (one["from"], one["to"])):
        guest = {"administer": False, "principals": {"mirror": "mm2"}}
        own = {"replication-factor": 3} if alias in targets else {}
        clusters[alias] = cluster(alias, **own, **({} if alias in written else guest))
    values = {"clusters": clusters, "flows": list(flows), **changes}
    return parse(values, "the test")


def accesses(settings: StackSettings) -> dict[str, ClientAccess]:
    return client_accesses(settings, SECRETS, connection)


def rendered(settings: StackSettings) -> RenderedProperties:
    return render_stack(settings, accesses(settings))
