"""`python3 -m toolchain setup | env | lock`: what `make` and `source ./activate` call."""

from __future__ import annotations

import sys

HELP = """\
usage: python3 -m toolchain setup   get everything this project needs (what `make setup` does)
       python3 -m toolchain env     print the exports that `source ./activate` evaluates
       python3 -m toolchain lock    resolve the dependencies anew (what `make lock` does)
"""


def main(words: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is run by whatever python3 is
        version = ".".join(str(number) for number in sys.version_info[:3])
        print(f"Python {version} is too old; Mirrorstack needs 3.11 or newer.", file=sys.stderr)
        print("  way out: install a newer one and name it: make PYTHON=python3.11", file=sys.stderr)
        return 1
    # Imported late, so that an old Python reaches the message above instead of a SyntaxError.
    from mirrorstack.console import Console
    from mirrorstack.problem import Problem
    from toolchain import locking, receipt, setup, shell

    try:
        if words == ["setup"]:
            setup.set_up(setup.ROOT, Console())
        elif words == ["env"]:
            parts = receipt.read(setup.ROOT / ".mirrorstack")
            print(shell.exports(shell.variables(setup.ROOT, parts)), end="")
        elif words == ["lock"]:
            locking.lock(setup.ROOT, Console())
        else:
            print(HELP, file=sys.stderr, end="")
            return 2
    except Problem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; run it again and it goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
