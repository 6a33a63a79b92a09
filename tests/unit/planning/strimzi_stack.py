"""A stack whose target is a cluster of Strimzi's, without a Kubernetes cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.findings import Finding
from mirrorstack.planning.deployment import Deployment
from mirrorstack.planning.preflight import preflight
from mirrorstack.planning.previous_state import PreviousState
from tests.unit.planning.fake_clusters import FakeClusters, Held, stack_settings

STRIMZI = {"cluster": "my-cluster", "namespace": "kafka"}
FLOW = {"from": "east", "to": "west", "topics": ["orders"], "groups": ["billing"]}


def operated_stack(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    found: tuple[Finding, ...] = (),
    previous: PreviousState | None = None,
    held: Held | None = None,
    west: dict[str, Any] | None = None,
    **more: Any,
) -> Deployment:
    """`found`: what Kubernetes answers. `west`: more settings of the target."""
    monkeypatch.setattr(
        "mirrorstack.planning.checks.operated_clusters.strimzi_cluster_findings",
        lambda *_args, **_more: found,
    )
    addresses: dict[str, Any] = {
        alias: {
            "bootstrap-servers": [f"{alias}:9093"],
            "principals": {"mirror": "mirror", "admin": "admin"},
        }
        for alias in ("east", "west")
    }
    addresses["west"] |= {"strimzi": STRIMZI} if west is None else west
    settings = stack_settings(FLOW, clusters=addresses, **more)
    clusters = FakeClusters(settings, held)
    return preflight(
        settings, clusters, stack="dr", home=home, previous=previous or PreviousState()
    )
