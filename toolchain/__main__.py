"""`python3 -m toolchain COMMAND`: called by `make` and `source ./activate`."""

import sys

HELP = """\
usage: python3 -m toolchain setup       install everything this project needs (`make setup`)
       python3 -m toolchain browser     install Chromium, which only the tests need (`make browser`)
       python3 -m toolchain docker      install Pulumi's Docker plugin, too (`make docker`)
       python3 -m toolchain kubernetes  install Pulumi's Kubernetes plugin, too (`make kubernetes`)
       python3 -m toolchain env         print the exports that `source ./activate` evaluates
       python3 -m toolchain doctor      report every part with its version, origin and errors
       python3 -m toolchain lock        resolve the Python dependencies again (`make lock`)
"""


def main(arguments):  # type: (list[str]) -> int
    # Written for any Python 3, so that an old one gets the message and not a SyntaxError.
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is run by whatever python3 is
        version = ".".join(str(number) for number in sys.version_info[:3])
        print(
            f"error: Python {version} is too old; Mirrorstack needs 3.11 or newer", file=sys.stderr
        )
        print("fix: install a newer Python and name it: make PYTHON=python3.11", file=sys.stderr)
        return 2
    from mirrorstack.console import EXIT_INTERRUPTED, INTERRUPTED, Console
    from mirrorstack.findings import UserError
    from toolchain import dependency_locks, doctor, receipt, setup, shell
    from toolchain.chromium import Chromium
    from toolchain.part import ensure

    try:
        if arguments == ["setup"]:
            setup.set_up(setup.ROOT, Console())
        elif arguments == ["browser"]:
            ensure(Chromium(), Console())
        elif arguments in (["docker"], ["kubernetes"]):
            setup.set_up_platform(setup.ROOT, Console(), arguments[0])
        elif arguments == ["env"]:
            parts = receipt.read(setup.ROOT / ".mirrorstack")
            print(shell.exports(shell.variables(setup.ROOT, parts)), end="")
        elif arguments == ["doctor"]:
            reports = doctor.report_parts(setup.ROOT)
            print(doctor.text_report(reports))
            return 1 if any(report.error for report in reports) else 0
        elif arguments == ["lock"]:
            dependency_locks.lock(setup.ROOT, Console())
        else:
            print(HELP, file=sys.stderr, end="")
            return 2
    except UserError as error:
        print(f"\n{error.report()}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return EXIT_INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
