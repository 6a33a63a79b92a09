"""`mirrorstack down`: nothing of this clone is left running."""

from __future__ import annotations

import click

from mirrorstack.cli.orphans import end_orphans
from mirrorstack.console import Console
from mirrorstack.local.home import ROOT, home
from mirrorstack.runtimes.local import all_below
from mirrorstack.sandbox.sandbox import Sandbox, all_names


@click.command()
def down() -> None:
    """Stop the Connect workers and the sandboxes of this clone. Their data stays.

    `mirrorstack demo` brings them back, and goes on where they ended.

    \b
    Example:
      mirrorstack down
    """
    console = Console()
    # Workers first: without their brokers they would only complain.
    running = [worker for worker in all_below(home()) if worker.process()]
    for worker in running:
        with console.step(f"stopping the Connect worker {worker.name}"):
            worker.stop()
    end_orphans(ROOT)
    ended = sum(Sandbox(name, console=console).down() for name in all_names(home()))
    if not running and not ended:
        console.say("nothing was running")
