"""What the `mirrorstack sandbox` commands print."""

from __future__ import annotations

from datetime import timedelta

import click

from mirrorstack.console import table
from mirrorstack.sandbox.names import CLIENT_PRINCIPALS, command
from mirrorstack.sandbox.seed_topics import GROUPS, PAYMENTS, TOPICS
from mirrorstack.sandbox.seeder import SeedOutcome
from mirrorstack.sandbox.status import NodeState, SandboxStatus


def print_status(status: SandboxStatus) -> None:
    rows = [
        (
            node.cluster.value,
            node.node,
            node.state.value,
            str(node.pid or "-"),
            node.address,
            "-" if node.uptime_seconds is None else str(timedelta(seconds=node.uptime_seconds)),
            str(node.log),
        )
        for node in status.nodes
    ]
    click.echo(table(("cluster", "node", "state", "pid", "address", "uptime", "log"), rows))
    for node in status.crashed:
        click.echo(f"\n{node.node} crashed: it has no process. Its last errors:")
        for line in node.errors or ("none: the process was killed (kill, out of memory)",):
            click.echo(f"    {line}")
    if status.crashed or any(node.state is NodeState.STOPPED for node in status.nodes):
        click.echo(f"\nstart it: {command('up', status.name)}")
    principals = "|".join(CLIENT_PRINCIPALS)
    click.echo(
        "\nproperties for Kafka's command-line tools: "
        f"{status.directory}/client-<east|west>-<{principals}>.properties"
    )


def print_seed(outcome: SeedOutcome) -> None:
    plan = outcome.plan
    rows = [
        (
            topic.name,
            str(topic.partitions),
            f"{plan.count(topic):,}",
            topic.note + (f" ({outcome.aborted:,} records)" if topic.name == PAYMENTS else ""),
        )
        for topic in TOPICS
    ]
    click.echo(table(("topic", "partitions", "records", "difficulty"), rows))
    click.echo(f"groups: {', '.join(group.name for group in GROUPS)}")
