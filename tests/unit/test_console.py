"""Tables, and progress: plain lines in a log, one live line on a terminal."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TextIO

import pytest

from mirrorstack import console as module
from mirrorstack.console import Console, Step, table
from tests.unit.toolchain.machine import until


@pytest.fixture
def log() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def console(log: io.StringIO) -> Console:
    return Console(log)


def test_a_table_aligns_its_columns() -> None:
    assert table(("a", "b"), [("long", "x"), ("y", "longer")]) == "a     b\nlong  x\ny     longer"


def test_the_line_of_counted_progress_has_a_bar() -> None:
    step = Step("reading")
    step.counted(34, 68, "partitions")

    assert "━━━━━╌╌╌╌╌ 34 of 68 partitions" in step.line(bar=True)


class TestInALog:
    def test_a_step_is_one_plain_line_with_outcome_and_duration(
        self, console: Console, log: io.StringIO
    ) -> None:
        with console.step("Pulumi") as step:
            step.progress("34 of 96 MB")
            step.done("3.259.0, official download")
        assert re.fullmatch(r"✓ Pulumi: 3\.259\.0, official download \(0\.\d s\)\n", log.getvalue())

    def test_a_failed_step_is_marked_and_raises_its_error(
        self, console: Console, log: io.StringIO
    ) -> None:
        with pytest.raises(ZeroDivisionError), console.step("Pulumi"):
            raise ZeroDivisionError
        assert re.fullmatch(r"✗ Pulumi \(0\.\d s\)\n", log.getvalue())

    def test_a_long_step_logs_its_progress_at_intervals(
        self, console: Console, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "LOG_EVERY_SECONDS", 0.01)
        with console.step("Kafka jars") as step:
            step.counted(34, 96, "jars")
            until(lambda: log.getvalue().count("… Kafka jars: 34 of 96 jars (0 s)\n") >= 2)
        assert "\x1b" not in log.getvalue()
        assert "\r" not in log.getvalue()

    def test_a_file_gets_plain_lines(self, tmp_path: Path) -> None:
        with (tmp_path / "log").open("w") as stream, Console(stream).step("work"):
            pass
        assert (tmp_path / "log").read_text().startswith("✓ work (")

    def test_nothing_is_printed_to_standard_output(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with Console().step("work"):
            pass
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("✓ work")


class Terminal:
    """A pseudo-terminal that records its output."""

    def __init__(self) -> None:
        self._master, slave = os.openpty()
        self.stream: TextIO = os.fdopen(slave, "w", encoding="utf-8")
        self._seen = b""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            while block := os.read(self._master, 4096):
                self._seen += block
        except OSError:  # on Linux, the other end was closed
            return

    @property
    def seen(self) -> str:
        return self._seen.decode("utf-8", "ignore")

    @property
    def shown(self) -> list[str]:
        """The lines that are visible, without cleared ones."""
        return [re.split(r"\r\x1b\[2K", line)[-1] for line in self.seen.split("\r\n")]

    def close(self) -> None:
        self.stream.close()
        self._reader.join()
        os.close(self._master)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setattr(module, "LIVE_EVERY_SECONDS", 0.005)
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    yield terminal
    if not terminal.stream.closed:
        terminal.close()


class TestOnATerminal:
    def test_the_live_line_is_animated_and_replaced_by_the_outcome(
        self, terminal: Terminal
    ) -> None:
        with Console(terminal.stream).step("Kafka jars") as step:
            step.progress("34 of 96 jars")
            until(lambda: "⠙ Kafka jars: 34 of 96 jars (0 s)" in terminal.seen)
            step.done("4.3.1")
        terminal.close()
        assert "\r\x1b[2K⠋ Kafka jars: 34 of 96 jars (0 s)\r\x1b[2K⠙" in terminal.seen
        [outcome, rest] = terminal.shown
        assert re.fullmatch(r"✓ Kafka jars: 4\.3\.1 \(0\.\d s\)", outcome)
        assert rest == ""

    def test_counted_progress_has_a_bar(self, terminal: Terminal) -> None:
        with Console(terminal.stream).step("comparing") as step:
            step.counted(500, 2000, "partitions")
            until(lambda: " comparing ━━╌╌╌╌╌╌╌╌ 500 of 2,000 partitions (0 s)" in terminal.seen)
            step.progress("naming what differs")
            until(lambda: " comparing: naming what differs (0 s)" in terminal.seen)
            step.counted(0, 0, "partitions")
            until(lambda: " comparing ╌╌╌╌╌╌╌╌╌╌ 0 of 0 partitions (0 s)" in terminal.seen)

    def test_a_message_during_a_step_has_its_own_line(self, terminal: Terminal) -> None:
        console = Console(terminal.stream)
        with console.step("Pulumi"):
            until(lambda: "⠋ Pulumi" in terminal.seen)
            console.say("  Pulumi, official download: no network")
            until(lambda: "⠹ Pulumi" in terminal.seen)
        terminal.close()
        assert terminal.shown[0] == "  Pulumi, official download: no network"

    def test_the_inner_of_nested_steps_has_the_live_line(self, terminal: Terminal) -> None:
        console = Console(terminal.stream)
        with console.step("Pulumi"):
            until(lambda: "⠋ Pulumi" in terminal.seen)
            with console.step("Go"):
                until(lambda: "⠹ Go" in terminal.seen)
                inner = terminal.seen.partition("⠋ Go")[2]
            until(lambda: "Pulumi (0 s)" in terminal.seen.partition("✓ Go")[2])
        terminal.close()
        assert "Pulumi" not in inner, "two alternating lines would flicker"
        assert [line[:3] for line in terminal.shown] == ["✓ G", "✓ P", ""]

    def test_a_long_line_is_truncated_because_a_wrapped_one_cannot_be_cleared(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "30")
        with Console(terminal.stream).step("Pulumi") as step:
            step.progress("downloading a module with a very long name indeed")
            until(lambda: "⠹ Pulumi: downloading" in terminal.seen)
        terminal.close()
        live = [line for line in re.split(r"\r\x1b\[2K", terminal.seen) if "downloading" in line]
        assert {len(line) for line in live} == {29}
