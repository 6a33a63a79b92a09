"""`mirrorstack recover`: after a `pulumi up` that was killed, and after a reboot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from mirrorstack.cli.killed_pulumi import end_orphaned_plugins, read_locks
from mirrorstack.cli.local_recovery import start_local_processes
from mirrorstack.cli.options import STACKS, format_option, stack_option
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT, home

VERSION = 1
"""Of the JSON."""

if TYPE_CHECKING:
    from mirrorstack.cli.workspace import PulumiProject  # takes a second to import


@dataclass(frozen=True)
class Recovery:
    """What was cleaned up, and started."""

    stack: str
    ended_plugins: int
    released_lock: bool
    cleared_pending_creates: list[str]
    started_sandboxes: list[str] = field(default_factory=list)
    started_workers: list[str] = field(default_factory=list)

    @property
    def was_needed(self) -> bool:
        cleaned = self.ended_plugins or self.released_lock or self.cleared_pending_creates
        return bool(cleaned or self.started_sandboxes or self.started_workers)


@click.command()
@stack_option
@format_option("text", "json")
def recover(stack: str, output_format: str) -> None:
    """Recover a stack after a reboot, or after a `pulumi up` that was killed.

    Releases the stack's lock if the process that holds it is dead, and clears pending creates: the
    next `pulumi up` adopts what was created. Then starts what the stack runs on this machine, if it
    is not running: its sandboxes and its Connect workers, which resume replication. Changes nothing
    if there is nothing to recover.

    \b
    Examples:
      mirrorstack recover -s local
      mirrorstack recover -s dr-prod --json
    """
    from mirrorstack.cli.workspace import PulumiProject

    console = Console()
    recovery = recover_stack(PulumiProject(), stack, console)
    started = start_local_processes(stack, home(), STACKS, console)
    recovery = replace(
        recovery, started_sandboxes=started.sandboxes, started_workers=started.workers
    )
    if output_format == "json":
        click.echo(json.dumps({"version": VERSION, **asdict(recovery)}, indent=2))
    elif not recovery.was_needed:
        click.echo(f"Stack {stack} needs no recovery.")


def recover_stack(project: PulumiProject, stack: str, console: Console) -> Recovery:
    if ended := end_orphaned_plugins(ROOT):
        console.say(f"ended {ended} plugins of a Pulumi process that is dead")
    released = _release_stale_lock(project, stack, console)
    return Recovery(stack, ended, released, _clear_pending_creates(project, stack, console))


def _release_stale_lock(project: PulumiProject, stack: str, console: Console) -> bool:
    locks = read_locks(project.backend, stack)
    for lock in locks:
        if not lock.is_stale():
            raise UserError(
                f"stack {stack} is locked by {lock.user}, process {lock.pid} on {lock.host}",
                f"wait until it ends; if it is certainly dead, run `pulumi cancel -s {stack}`",
            )
    if not locks:
        return False
    with console.step(f"releasing the lock of process {locks[0].pid}, which is dead"):
        project.cancel(stack)
    return True


def _clear_pending_creates(project: PulumiProject, stack: str, console: Console) -> list[str]:
    pending = pending_creates(project.state(stack))
    if pending:
        title = f"clearing {len(pending)} pending creates; `pulumi up` adopts what was created"
        with console.step(title):
            project.clear_pending_creates(stack)
    return pending


def pending_creates(deployment: Mapping[str, Any]) -> list[str]:
    """The URNs of the resources that were being created when Pulumi was killed."""
    operations = deployment.get("pending_operations") or ()
    return [each["resource"]["urn"] for each in operations if each["type"] == "creating"]
