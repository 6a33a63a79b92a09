"""The entry point of the command line.

Importing the commands takes a second; an interrupt during it ends in one line as well.
"""

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
