"""`mirrorstack restart`: restart what has FAILED."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import click

from mirrorstack.cli.connect_groups import deployed_groups
from mirrorstack.cli.options import Seconds, format_option, stack_option
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.protocol import ConnectUnreachableError
from mirrorstack.connect.restart_request import ConnectorRestart, restart_connectors
from mirrorstack.console import Console, table
from mirrorstack.findings import UserError

VERSION = 1
WAIT_SECONDS = 60.0
EXIT_STILL_FAILED = 1


@click.command()
@stack_option
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Restart all connectors with their tasks, not only what has FAILED.",
)
@click.option(
    "--timeout",
    type=Seconds(),
    default=WAIT_SECONDS,
    show_default=True,
    help="Seconds to wait until everything runs again.",
)
@format_option("text", "json")
@click.pass_context
def restart(
    ctx: click.Context, stack: str, everything: bool, timeout: float, output_format: str
) -> None:
    """Restart the connectors and tasks of a stack that have FAILED.

    Waits until they run again. Paused and stopped connectors are left alone. Local workers restart
    what has FAILED by themselves, with growing pauses, up to seven times; use this command after
    you have fixed the cause.

    Exit status: 0 nothing had FAILED, or it runs again; 1 something does not run; 2 error.

    \b
    Examples:
      mirrorstack restart -s local
      mirrorstack restart -s dr-prod --all --json
    """
    # The Automation API takes a second to import.
    from mirrorstack.cli.workspace import PulumiProject

    project = PulumiProject()
    groups = deployed_groups(project.state(stack), stack)
    secret = project.secrets(stack)
    outcomes = {
        group.target: _restart(group.target, group.client(secret), stack, everything, timeout)
        for group in groups
    }
    if output_format == "json":
        click.echo(json.dumps(as_json(stack, outcomes), indent=2))
    else:
        click.echo(as_text(stack, outcomes))
    if not all(each.is_ok for group in outcomes.values() for each in group):
        ctx.exit(EXIT_STILL_FAILED)


def _restart(
    target: str, client: ConnectClient, stack: str, everything: bool, timeout: float
) -> list[ConnectorRestart]:
    with Console().step(f"restarting connectors of {target}") as step:
        try:
            outcomes = restart_connectors(client, everything=everything, seconds=timeout)
        except ConnectUnreachableError as error:
            raise UserError(
                error.message,
                f"run `mirrorstack recover -s {stack}`, which starts workers of this machine",
            ) from None
        step.done(f"{sum(bool(each.restarted) for each in outcomes)} restarted")
    return outcomes


def as_json(stack: str, outcomes: dict[str, list[ConnectorRestart]]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "stack": stack,
        "connectors": [
            {"target": target, **asdict(each), "ok": each.is_ok}
            for target, group in outcomes.items()
            for each in group
        ],
    }


def as_text(stack: str, outcomes: dict[str, list[ConnectorRestart]]) -> str:
    every = [(target, each) for target, group in outcomes.items() for each in group]
    if not every:
        return f"Stack {stack} has no connectors."
    rows = [(target, each.connector, _action(each), _state(each)) for target, each in every]
    reasons = [_reason(each) for _, each in every if each.reason]
    return "\n".join([table(("target", "connector", "restarted", "state"), rows), *reasons])


def _action(outcome: ConnectorRestart) -> str:
    return _listed(outcome.restarted) or "nothing"


def _state(outcome: ConnectorRestart) -> str:
    if outcome.failed:
        return f"{_listed(outcome.failed)} FAILED"
    return outcome.state if outcome.is_ok else f"{outcome.state}, not all tasks are RUNNING"


def _reason(outcome: ConnectorRestart) -> str:
    return f"{outcome.connector}: {outcome.reason}"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
