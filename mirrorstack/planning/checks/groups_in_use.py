"""Whether other workers are members of the Connect groups that a stack is about to use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from mirrorstack.findings import Finding
from mirrorstack.local.polling import poll_until
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup

# The brokers wait ten seconds for a Connect worker that left without saying so.
LEAVING_SECONDS = 15.0

Query = Callable[[str, str], bool]
"""Of a cluster and a group."""


def groups_in_use(
    group: WorkerGroup, stack: str, has_members: Query, has_workers: Query
) -> Iterator[Finding]:
    """Workers of another stack in the same group would take over its connectors. `has_workers`:
    whether the stack itself has workers in it."""
    target = group.target
    for name in group.groups:
        if not has_workers(target, name) and _stays(has_members, target, name):
            yield Finding(
                f"The Connect group {name} on {target} has members that are not workers of the "
                f"stack {stack}: they would share connectors and offsets.",
                f"{_other_group(group)}, and make sure that the two do not replicate the same "
                "topics",
                cluster=target,
                path=("workers", target, "group"),
            )


def _stays(has_members: Query, target: str, group: str) -> bool:
    """Workers that have just ended, as after a destroy, are members for a moment longer."""
    try:
        return not poll_until(
            lambda: not has_members(target, group),
            deadline=time.monotonic() + LEAVING_SECONDS,
            on_timeout=TimeoutError,
        )
    except TimeoutError:
        return True


def _other_group(group: WorkerGroup) -> str:
    if group.naming is ConnectorNaming.DEDICATED:
        return (
            "in dedicated mode the group follows from the source's alias: use another alias, or "
            f"`mode: connect` under `mirrorstack:workers.{group.target}`"
        )
    return f"set another `group` under `mirrorstack:workers.{group.target}`"
