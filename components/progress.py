"""Progress of a dynamic provider: the engine shows what its plugins print."""

from __future__ import annotations

import time
from collections.abc import Callable

# Short waits are not reported, long ones rarely.
FIRST_AFTER_SECONDS, EVERY_SECONDS = 20.0, 10.0
LINE_CHARACTERS = 200


def reporter(
    subject: str,
    *,
    show: Callable[[str], None] = lambda line: print(line, flush=True),
    clock: Callable[[], float] = time.monotonic,
) -> Callable[[str], None]:
    """A function that is called with the reason of a wait, and shows a line from time to time."""
    started = clock()
    due = started + FIRST_AFTER_SECONDS

    def report(why: str) -> None:
        nonlocal due
        now = clock()
        if now < due:
            return
        due = now + EVERY_SECONDS
        reason = " ".join(why.split())
        line = f"{subject} after {now - started:.0f} s: {reason}"
        show(line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]} ...")

    return report
