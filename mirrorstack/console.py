"""Progress for people: a live line on a terminal, with a bar where there is a number to reach, and
plain lines in a log.

Only the standard library, because the set-up uses it before anything is installed.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

LOG_EVERY_SECONDS = 15.0
LIVE_EVERY_SECONDS = 0.2
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
BAR_WIDTH = 10

INTERRUPTED = "\nInterrupted; run the command again to resume."
EXIT_INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells report it: 128 + SIGINT."""


class Step:
    """One piece of work that is under way: say how far it is, and what came of it."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.outcome = ""
        self._progress = ""
        self._share: float | None = None
        self._started = time.monotonic()

    def progress(self, text: str) -> None:
        """How far the work is, for example `creating topics`; shown while it lasts."""
        self._progress, self._share = text, None

    def counted(self, done: int, of: int, what: str) -> None:
        """The same where it can be counted, for example `34 of 96 partitions`."""
        self._progress, self._share = f"{done:,} of {of:,} {what}", done / max(of, 1)

    def done(self, outcome: str) -> None:
        """What came of it, for example `3.259.0, built from Go modules`; shown when it ends."""
        self.outcome = outcome

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def line(self, *, bar: bool = False) -> str:
        progress = f": {self._progress}" if self._progress else ""
        if bar and self._share is not None:
            full = round(BAR_WIDTH * min(self._share, 1.0))
            progress = f" {'━' * full}{'╌' * (BAR_WIDTH - full)} {self._progress}"
        return f"{self.title}{progress} ({self.seconds:.0f} s)"


class Console:
    """Where progress goes. Standard error by default, so that standard output stays data."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._live = self._stream.isatty()
        self._steps: list[Step] = []
        self._writing = threading.Lock()

    def say(self, text: str) -> None:
        with self._writing:
            self._clear()
            print(text, file=self._stream, flush=True)

    @contextmanager
    def step(self, title: str) -> Iterator[Step]:
        """Announce work, keep showing that it lives, and end with its outcome and duration."""
        step = Step(title)
        self._steps.append(step)
        ended = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(step, ended), daemon=True)
        ticker.start()
        mark = "✗"
        try:
            yield step
            mark = "✓"
        finally:
            ended.set()
            ticker.join()
            self._steps.remove(step)
            outcome = f": {step.outcome}" if step.outcome else ""
            self.say(f"{mark} {step.title}{outcome} ({step.seconds:.1f} s)")

    def _tick(self, step: Step, ended: threading.Event) -> None:
        turn = 0
        while not ended.wait(LIVE_EVERY_SECONDS if self._live else LOG_EVERY_SECONDS):
            if step is not self._steps[-1]:
                continue  # there is one live line, and it is the innermost step's
            if self._live:
                line = f"{SPINNER[turn % len(SPINNER)]} {step.line(bar=True)}"
                with self._writing:
                    self._clear()
                    # A line that wraps could not be cleared.
                    self._stream.write(line[: shutil.get_terminal_size().columns - 1])
                    self._stream.flush()
                turn += 1
            else:
                self.say(f"… {step.line()}")

    def _clear(self) -> None:
        if self._live:
            self._stream.write("\r\x1b[2K")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; the last one is left ragged."""
    lines = [headings, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    widths[-1] = 0
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
