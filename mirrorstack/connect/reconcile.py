"""Making a connector what was declared, from whatever it is now."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress

from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.connect.config import normalise
from mirrorstack.connect.health import Declared
from mirrorstack.connect.movement import Backlog
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.waiting import POLL_SECONDS, Report, wait_until_healthy
from mirrorstack.findings import UserError


def create(
    client: ConnectClient,
    declared: Declared,
    *,
    deadline: float,
    report: Report,
    backlog: Backlog | None = None,
) -> None:
    """Make it, or take over one that an interrupted attempt left, and wait until it is healthy.

    A connector that was made here and does not become healthy is taken away again: nobody would
    know of it, and it would go on mirroring. Connect keeps its offsets.
    """
    made = _configure(client, declared)
    try:
        _begin_anew(client, declared, deadline)
        if not made or declared.fresh:
            _settle_state(client, declared)
        wait_until_healthy(client, declared, deadline=deadline, report=report, backlog=backlog)
    except UserError:
        if made:
            with suppress(UserError):  # the first reason is the one that counts
                # The deadline is over by now, and so is the patience that ends with it.
                client.patient(Patience()).delete(declared.name)
        raise


def update(
    client: ConnectClient,
    declared: Declared,
    *,
    deadline: float,
    report: Report,
    backlog: Backlog | None = None,
) -> None:
    """Change what differs, restart what has failed, and wait until it is healthy."""
    _begin_anew(client, declared, deadline)
    if not _configure(client, declared) or declared.fresh:
        _settle_state(client, declared)
    wait_until_healthy(client, declared, deadline=deadline, report=report, backlog=backlog)


def _configure(client: ConnectClient, declared: Declared) -> bool:
    """Whether the connector was made; in that case it is in its declared state already."""
    live = client.config(declared.name)
    if live is None:
        # Where offsets may have to be forgotten first, it must not run before.
        state = ConnectorState.STOPPED if declared.fresh else declared.state
        if client.create(declared.name, declared.config, state):
            return True
        live = client.config(declared.name)  # an answer to an earlier try was lost
    if live is None or differs(live, declared.config):
        client.put_config(declared.name, declared.config)
    return False


def _begin_anew(client: ConnectClient, declared: Declared, deadline: float) -> None:
    """Forget where copies ended that are no more, so that new ones begin at the beginning."""
    if not declared.fresh or client.config(declared.name) is None:
        return
    stale = client.partitions_with_offsets(declared.name, declared.fresh)
    if not stale:
        return
    client.set_state(declared.name, ConnectorState.STOPPED)
    while not _is_stopped(client, declared.name):
        if time.monotonic() > deadline:
            raise UserError(
                f"connector {declared.name} does not stop, and has to before its offsets can be "
                f"forgotten: {', '.join(sorted(declared.fresh))} is new on the target",
                "restart its workers and try again",
            )
        time.sleep(POLL_SECONDS)
    client.forget_offsets(declared.name, stale)


def _is_stopped(client: ConnectClient, name: str) -> bool:
    status = client.status(name)
    return (
        status is not None and status.state == ConnectorState.STOPPED.upper() and not status.tasks
    )


def differs(live: Mapping[str, str], declared: Mapping[str, str]) -> bool:
    """Connect restarts a connector for every PUT, so an equal config is not sent."""
    return normalise(live) != dict(declared)


def _settle_state(client: ConnectClient, declared: Declared) -> None:
    status = client.status(declared.name)
    if status is None or status.state != declared.state.upper():
        client.set_state(declared.name, declared.state)
    if status is not None and status.has_failed and declared.state is ConnectorState.RUNNING:
        client.restart_failed(declared.name)
