"""`python3 -m toolchain WORD`: what `make` and `source ./activate` call."""

import sys

HELP = """\
usage: python3 -m toolchain setup   get everything this project needs (what `make setup` does)
       python3 -m toolchain browser get Chromium, which only tests need (`make test` does it)
       python3 -m toolchain env     print the exports that `source ./activate` evaluates
       python3 -m toolchain doctor  list every part and what is wrong with it
       python3 -m toolchain lock    resolve the dependencies anew (what `make lock` does)
"""


def main(words):  # type: (list[str]) -> int
    # Written for any Python 3, so that an old one gets the message and not a SyntaxError.
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is run by whatever python3 is
        version = ".".join(str(number) for number in sys.version_info[:3])
        print(f"Python {version} is too old; Mirrorstack needs 3.11 or newer.", file=sys.stderr)
        print("fix: install a newer one and name it: make PYTHON=python3.11", file=sys.stderr)
        return 1
    from mirrorstack.console import EXIT_INTERRUPTED, INTERRUPTED, Console
    from mirrorstack.findings import UserError
    from toolchain import doctor, locking, receipt, setup, shell
    from toolchain.chromium import Chromium
    from toolchain.part import ensure

    try:
        if words == ["setup"]:
            setup.set_up(setup.ROOT, Console())
        elif words == ["browser"]:
            ensure(Chromium(), Console())
        elif words == ["env"]:
            parts = receipt.read(setup.ROOT / ".mirrorstack")
            print(shell.exports(shell.variables(setup.ROOT, parts)), end="")
        elif words == ["doctor"]:
            findings = doctor.examine(setup.ROOT)
            print(doctor.page(findings))
            return 1 if any(finding.wrong for finding in findings) else 0
        elif words == ["lock"]:
            locking.lock(setup.ROOT, Console())
        else:
            print(HELP, file=sys.stderr, end="")
            return 2
    except UserError as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return EXIT_INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
