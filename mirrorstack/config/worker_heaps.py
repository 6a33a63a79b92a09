"""The heap of the Connect workers: derived from their flows, or checked against what those need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mirrorstack.config.clusters import ClusterSettings
from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import Finding
from mirrorstack.mm2.profiles import ProfileName
from mirrorstack.mm2.worker_memory import WorkerMemory, worker_memory

USUAL_BROKERS = 3


def memory_at(
    target: str, flows: Sequence[FlowSettings], clusters: Mapping[str, ClusterSettings]
) -> WorkerMemory:
    """What one worker next to a target needs."""
    brokers = {alias: _brokers(cluster) for alias, cluster in clusters.items()}
    return worker_memory((flow for flow in flows if flow.target == target), brokers)


def check_heaps(
    heaps: Mapping[str, int | None],
    flows: Sequence[FlowSettings],
    clusters: Mapping[str, ClusterSettings],
) -> Iterator[Finding]:
    """`heaps` are the values of `heap-mb` by target; None: derived."""
    for target, heap_mb in heaps.items():
        memory = memory_at(target, flows, clusters)
        if heap_mb is None or heap_mb >= memory.needed_mb or not memory.flows:
            continue
        small = [flow.model_copy(update={"profile": ProfileName.FRUGAL}) for flow in flows]
        frugal = memory_at(target, small, clusters).needed_mb
        smaller = (
            f"; or set `profile: frugal`, which needs at least {frugal} MB"
            if frugal < memory.needed_mb
            else ""
        )
        yield Finding.at(
            ("workers", target, "heap-mb"),
            f"{heap_mb} is too small: one worker may have to run all tasks of the flows to "
            f"{target} ({memory}), and ends with OutOfMemoryError",
            f"remove it, so that it is {memory.heap_mb}; or set at least {memory.needed_mb}; or "
            f"reduce `tasks` of the flows{smaller}",
            cluster=target,
        )


def _brokers(cluster: ClusterSettings) -> int:
    """Each broker of the source costs a buffer. A stack file has to work without the cluster, so
    that the number may be a guess."""
    if cluster.brokers is not None:
        return cluster.brokers
    if cluster.sandbox is not None:
        return 1
    return max(USUAL_BROKERS, len(cluster.bootstrap_servers or ()))
