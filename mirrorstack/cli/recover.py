"""`mirrorstack recover`: after a `pulumi up` that was killed."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import psutil

from mirrorstack.cli.orphans import end_orphans
from mirrorstack.cli.pulumi_cli import PulumiCli
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT

PROJECT = "mirrorstack"


@dataclass(frozen=True)
class Lock:
    """Pulumi's lock on a stack in a file backend: who holds it."""

    pid: int
    host: str
    user: str

    def is_stale(self) -> bool:
        if self.host != socket.gethostname():
            return False
        try:
            holder = psutil.Process(self.pid)
            # The id may belong to another program by now, or to a corpse that nobody fetched.
            return "pulumi" not in holder.name() or holder.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True


@click.command()
@click.option("-s", "--stack", default="local", show_default=True, help="The stack to recover.")
def recover(stack: str) -> None:
    """Clean up after a `pulumi up` that was killed.

    Releases the stack's lock if its holder is dead, and forgets what was being created: the next
    `up` adopts what came of it. Harmless when there is nothing to recover.

    \b
    Example:
      mirrorstack recover -s local && pulumi up -s local
    """
    if not recover_stack(PulumiCli(), stack, Console()):
        click.echo(f"Stack {stack} needs no recovery.")


def recover_stack(pulumi: PulumiCli, stack: str, console: Console) -> bool:
    """True when there was something to recover."""
    if orphans := end_orphans(ROOT):
        console.say(f"ended {orphans} plugins of a Pulumi that is dead")
    released = _release_stale_lock(pulumi, stack, console)
    forgotten = _forget_pending_creates(pulumi, stack, console)
    return bool(orphans) or released or forgotten


def _release_stale_lock(pulumi: PulumiCli, stack: str, console: Console) -> bool:
    locks = read_locks(pulumi.backend, stack)
    for lock in locks:
        if not lock.is_stale():
            raise UserError(
                f"Stack {stack} is locked by {lock.user}, process {lock.pid} on {lock.host}.",
                "wait until that is done; if it is dead for certain, type "
                f"`pulumi cancel -s {stack}`",
            )
    if not locks:
        return False
    console.say(f"releasing the lock of process {locks[0].pid}, which is dead")
    pulumi.show("cancel", "--yes", "--stack", stack)
    return True


def read_locks(backend: str, stack: str) -> list[Lock]:
    """The locks of a stack in a file backend; other backends look after their own."""
    address = urlsplit(backend)
    if address.scheme != "file":
        return []
    directory = Path(address.path, ".pulumi", "locks", "organization", PROJECT, stack)
    found = [json.loads(file.read_text()) for file in directory.glob("*.json")]
    return [Lock(lock["pid"], lock["hostname"], lock["username"]) for lock in found]


def _forget_pending_creates(pulumi: PulumiCli, stack: str, console: Console) -> bool:
    state = pulumi.ask("stack", "export", "--stack", stack)
    pending = pending_creates(state["deployment"])
    if not pending:
        return False
    console.say(
        f"forgetting {len(pending)} interrupted creations; `up` takes over what came of them"
    )
    quiet = ("--yes", "--skip-preview", "--non-interactive", "--suppress-outputs")
    pulumi.show("refresh", "--stack", stack, *quiet, "--clear-pending-creates")
    return True


def pending_creates(deployment: Mapping[str, Any]) -> list[str]:
    """The URNs of the resources that were being created when Pulumi died."""
    operations = deployment.get("pending_operations") or ()
    return [each["resource"]["urn"] for each in operations if each["type"] == "creating"]
