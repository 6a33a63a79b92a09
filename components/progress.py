"""How a provider tells people what it waits for: the engine shows what its plugins print."""

from __future__ import annotations

import time
from collections.abc import Callable

# What is over sooner needs no words, and what lasts needs few.
FIRST_AFTER_SECONDS, EVERY_SECONDS = 20.0, 10.0
LINE_CHARACTERS = 200


def reporter(
    subject: str,
    *,
    show: Callable[[str], None] = lambda line: print(line, flush=True),
    clock: Callable[[], float] = time.monotonic,
) -> Callable[[str], None]:
    """Hears why something is not done yet, as often as one likes, and passes on a line at times."""
    started = clock()
    due = started + FIRST_AFTER_SECONDS

    def report(why: str) -> None:
        nonlocal due
        now = clock()
        if now < due:
            return
        due = now + EVERY_SECONDS
        # The first sentence: possible causes are for the error, if it comes to one.
        reason = " ".join(why.split()).partition(". ")[0]
        line = f"{subject} after {now - started:.0f} s: {reason}"
        show(line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]} ...")

    return report
