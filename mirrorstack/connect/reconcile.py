"""Reconciles a connector with its declaration."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.config import normalise
from mirrorstack.connect.health import ConnectorSpec
from mirrorstack.connect.progress import BacklogQuery
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.stalls import StallQuery
from mirrorstack.connect.waiting import Report, wait_until_healthy
from mirrorstack.findings import UserError
from mirrorstack.local.polling import poll_until
from mirrorstack.text import and_more


def create(
    client: ConnectClient,
    spec: ConnectorSpec,
    *,
    deadline: float,
    report: Report,
    backlog: BacklogQuery | None = None,
    stalls: StallQuery | None = None,
) -> None:
    """Create it, or adopt one that an interrupted attempt left, and wait until it is healthy.

    A connector that was created here and does not become healthy is deleted: it would be in no
    state, and would go on replicating. Connect keeps its offsets.
    """
    created = _configure(client, spec)
    try:
        _reset_offsets(client, spec, deadline)
        if not created or spec.new_topics:
            _set_state(client, spec)
        wait_until_healthy(
            client,
            spec,
            deadline=deadline,
            report=report,
            backlog=backlog,
            stalls=stalls,
            restart=client.restart_failed,
        )
    except UserError:
        if created:
            with suppress(UserError):  # the first error is the one to report
                # The retries that end with the deadline are over by now.
                client.with_retries(RetryPolicy()).delete(spec.name)
        raise


def update(
    client: ConnectClient,
    spec: ConnectorSpec,
    *,
    deadline: float,
    report: Report,
    backlog: BacklogQuery | None = None,
    stalls: StallQuery | None = None,
) -> None:
    """Change what differs, restart what has failed, and wait until it is healthy."""
    _reset_offsets(client, spec, deadline)
    if not _configure(client, spec) or spec.new_topics:
        _set_state(client, spec)
    wait_until_healthy(
        client,
        spec,
        deadline=deadline,
        report=report,
        backlog=backlog,
        stalls=stalls,
        restart=client.restart_failed,
    )


def _configure(client: ConnectClient, spec: ConnectorSpec) -> bool:
    """Whether the connector was created; in that case it has its declared state already."""
    live = client.config(spec.name)
    if live is None:
        # Where offsets may have to be reset first, it must not run before.
        state = ConnectorState.STOPPED if spec.new_topics else spec.state
        if client.create(spec.name, spec.config, state):
            return True
        live = client.config(spec.name)  # the response to an earlier attempt was lost
    if live is None or differs(live, spec.config):
        client.put_config(spec.name, spec.config)
    return False


def _reset_offsets(client: ConnectClient, spec: ConnectorSpec, deadline: float) -> None:
    """Reset the offsets of topics that are new on the target, so that they start from earliest."""
    if not spec.new_topics or client.config(spec.name) is None:
        return
    stale = client.partitions_with_offsets(spec.name, spec.new_topics)
    if not stale:
        return
    client.set_state(spec.name, ConnectorState.STOPPED)
    poll_until(
        lambda: _is_stopped(client, spec.name),
        deadline=deadline,
        on_timeout=lambda: UserError(
            f"connector {spec.name} does not stop; it must be stopped before the offsets of "
            f"{and_more(sorted(spec.new_topics))} can be reset, which is new on the target",
            "restart its workers, then run the command again",
            connector=spec.name,
        ),
    )
    client.reset_offsets(spec.name, stale)


def _is_stopped(client: ConnectClient, name: str) -> bool:
    status = client.status(name)
    return (
        status is not None and status.state == ConnectorState.STOPPED.upper() and not status.tasks
    )


def differs(live: Mapping[str, str], declared: Mapping[str, str]) -> bool:
    """Connect restarts a connector for every PUT, so an equal config is not sent."""
    return normalise(live) != dict(declared)


def _set_state(client: ConnectClient, spec: ConnectorSpec) -> None:
    status = client.status(spec.name)
    if status is None or status.state != spec.state.upper():
        client.set_state(spec.name, spec.state)
    if status is not None and status.has_failed and spec.state is ConnectorState.RUNNING:
        client.restart_failed(spec.name)
