"""The error lines of logs."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.local.logs import TAIL_BYTES, error_lines, last_errors

LOG = """\
2026-01-01 INFO  starting (kafka)
2026-01-01 ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)
java.lang.RuntimeException: no
\tat kafka.Kafka.main(Kafka.scala)
Caused by: java.io.IOException: disk full
2026-01-01 INFO  bye (kafka)
"""


def test_errors_and_first_lines_of_stack_traces_are_reported(tmp_path: Path) -> None:
    log, output = tmp_path / "broker.log", tmp_path / "broker.out"
    log.write_text(LOG)
    output.write_text("Error: Could not find or load main class kafka.Kafka\n")
    assert error_lines([log, output]) == (
        "2026-01-01 ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)",
        "java.lang.RuntimeException: no",
        "Caused by: java.io.IOException: disk full",
        "Error: Could not find or load main class kafka.Kafka",
    )


def test_only_the_last_errors_are_reported(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_text("".join(f"ERROR {number}\n" for number in range(9)))
    assert error_lines([log], limit=2) == ("ERROR 7", "ERROR 8")


def test_a_missing_log_has_no_errors(tmp_path: Path) -> None:
    assert error_lines([tmp_path / "missing.log"]) == ()


def test_of_a_large_log_only_the_end_is_read_and_long_lines_are_cut(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_text(f"ERROR old\n{'x' * TAIL_BYTES}\nERROR {'y' * 1000}\n")
    (line,) = error_lines([log])
    assert line.startswith("ERROR y")
    assert len(line) < 310


def test_of_a_text_the_last_errors_are_shown_or_else_its_last_lines() -> None:
    assert last_errors("INFO a\nERROR b\n\nINFO c\n", 5) == ["ERROR b"]
    assert last_errors("a\n\nb\nc\n", 2) == ["b", "c"]
    assert last_errors("", 2) == []
