"""Waiting until a connector is healthy, or telling why it is not."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.health import Declared, Failed, Healthy, NotYet, Seen, Verdict, judge
from mirrorstack.connect.movement import Backlog, Movement
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError

POLL_SECONDS = 0.5
# Statuses travel through a topic: for a moment Connect shows what was, for better or for worse.
SETTLE_SECONDS = 2.0

Report = Callable[[str], None]


class UnhealthyConnectorError(UserError):
    """The connector did not become healthy in time, or failed."""

    def __init__(self, declared: Declared, why: str, waited: float) -> None:
        super().__init__(
            f"connector {declared.name} is not healthy after {waited:.0f} s: {why}",
            "mend that and try again",
        )
        self.why = why


def wait_until_healthy(
    client: ConnectClient,
    declared: Declared,
    *,
    deadline: float,
    report: Report,
    backlog: Backlog | None = None,
) -> None:
    """Return when it is healthy and stays so for a moment; raise Unhealthy otherwise.

    Connect leaves alone what has failed; here it gets a second chance.

    `deadline` is of `time.monotonic()`. `report` hears the reason for waiting on, at every look;
    `backlog` tells which topics of the source hold more than was mirrored.
    """
    movement = Movement(declared.expectation.partitions, backlog)
    started = since = time.monotonic()
    before: Verdict | None = None
    restarted = False
    while True:
        verdict = look(client, declared, movement)
        now = time.monotonic()
        if isinstance(verdict, NotYet):
            report(verdict.why)
        if verdict != before:
            before, since = verdict, now
        elif now - since >= SETTLE_SECONDS:
            if isinstance(verdict, Healthy):
                return
            if isinstance(verdict, Failed):
                if restarted:
                    raise UnhealthyConnectorError(declared, verdict.why, now - started)
                # What failed at its start may have run ahead of a grant that brokers learn of late.
                client.restart_failed(declared.name)
                restarted, since = True, now
        if now >= deadline:
            raise UnhealthyConnectorError(declared, _last_words(verdict), now - started)
        time.sleep(POLL_SECONDS)


def look(client: ConnectClient, declared: Declared, movement: Movement) -> Verdict:
    """Ask Connect for what the judgement needs, and no more."""
    status = client.status(declared.name)
    running = status is not None and declared.state is ConnectorState.RUNNING and bool(status.tasks)
    wanted = declared.expectation.records
    seen = Seen(status, tasks=client.tasks(declared.name) if running else ())
    if running and wanted:
        offsets = client.offsets(declared.name)
        seen = replace(seen, topics_with_offsets=frozenset(topic for topic, _ in offsets))
        verdict = judge(declared, seen)
        if not isinstance(verdict, Healthy):  # only then is it worth to read from the source
            return verdict
        seen = replace(seen, standing=movement.standing(offsets) & wanted)
    return judge(declared, seen)


def _last_words(verdict: Verdict) -> str:
    if isinstance(verdict, Healthy):
        return f"it has been healthy for less than {SETTLE_SECONDS:.0f} s"
    return verdict.why
