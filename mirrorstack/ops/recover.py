"""`mirrorstack recover`: after a `pulumi up` that was killed."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import psutil

from mirrorstack.console import Console
from mirrorstack.ops.pulumi_cli import PulumiCli
from mirrorstack.problem import Problem

PROJECT = "mirrorstack"
# How the kafka provider names what it created: what a resource was to be tells its id.
IDENTIFIED_BY: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "kafka:index/topic:Topic": lambda inputs: str(inputs["name"]),
}


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

    Releases the stack's lock if its holder is dead, and adopts what was created on the cluster
    but not yet recorded in the state. Harmless when there is nothing to recover.

    \b
    Example:
      mirrorstack recover -s local && pulumi up -s local
    """
    if not recover_stack(PulumiCli(), stack, Console()):
        click.echo(f"Stack {stack} needs no recovery.")


def recover_stack(pulumi: PulumiCli, stack: str, console: Console) -> bool:
    """True when there was something to recover."""
    released = _release_stale_lock(pulumi, stack, console)
    adopted = _adopt_pending_creates(pulumi, stack, console)
    return released or adopted


def _release_stale_lock(pulumi: PulumiCli, stack: str, console: Console) -> bool:
    locks = read_locks(pulumi.backend, stack)
    for lock in locks:
        if not lock.is_stale():
            raise Problem(
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


def _adopt_pending_creates(pulumi: PulumiCli, stack: str, console: Console) -> bool:
    state = pulumi.ask("stack", "export", "--stack", stack)
    pending = pending_creates(state["deployment"])
    if not pending:
        return False
    console.say(f"asking the clusters what became of {len(pending)} interrupted creations")
    pulumi.tell(json.dumps(adopting(state)), "stack", "import", "--stack", stack)
    # The refresh reads each adopted resource, and forgets those that are not there.
    quiet = ("--yes", "--skip-preview", "--non-interactive", "--suppress-outputs")
    pulumi.show("refresh", "--stack", stack, *quiet)
    return True


def pending_creates(deployment: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The resources that were being created when Pulumi died."""
    operations = deployment.get("pending_operations") or ()
    return [each["resource"] for each in operations if each["type"] == "creating"]


def adopting(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state in which every interrupted creation whose id can be told counts as done.

    `pulumi refresh --import-pending-creates` promises as much, but in 3.259 it only drops them.
    What has no known id is dropped: creating it again works, or says what is in its way.
    """
    deployment = state["deployment"]
    adopted = [
        {**resource, "id": IDENTIFIED_BY[resource["type"]](resource["inputs"]), "outputs": {}}
        for resource in pending_creates(deployment)
        if resource["type"] in IDENTIFIED_BY
    ]
    others = [each for each in deployment["pending_operations"] if each["type"] != "creating"]
    return {
        **state,
        "deployment": {
            **deployment,
            "resources": [*deployment["resources"], *adopted],
            "pending_operations": others,
        },
    }
