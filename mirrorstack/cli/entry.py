"""Where the command line begins. To import the commands takes a second, and an interrupt in it ends
as any other does: in one line."""

from __future__ import annotations

import sys

from mirrorstack.console import EXIT_INTERRUPTED, INTERRUPTED


def main() -> None:
    try:
        from mirrorstack.cli.main import main as commands
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    commands()
