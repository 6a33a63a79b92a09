"""`mirrorstack down`: stop everything that this clone runs."""

from __future__ import annotations

import click

from mirrorstack.cli.killed_pulumi import end_orphaned_plugins
from mirrorstack.console import Console
from mirrorstack.local.home import ROOT, home
from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.sandbox import Sandbox, all_names


@click.command()
def down() -> None:
    """Stop the Connect workers and the sandboxes of this clone. Their data stays.

    `mirrorstack demo` starts them again, and they resume.

    \b
    Example:
      mirrorstack down
    """
    console = Console()
    # Workers first: without brokers they would only log errors.
    running = [worker for worker in all_below(home()) if worker.process() or worker.supervisor()]
    for worker in running:
        with console.step(f"stopping the Connect worker {worker.name}"):
            worker.stop()
    end_orphaned_plugins(ROOT)
    stopped = sum(Sandbox(name, console=console).down() for name in all_names(home()))
    if not running and not stopped:
        console.say("nothing was running")
