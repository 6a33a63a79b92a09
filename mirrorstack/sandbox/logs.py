"""What the nodes log, and the lines of it that matter to a person."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from mirrorstack.sandbox.nodes import Node

LOG_PROPERTY = "mirrorstack.log"
TAIL_BYTES = 256 * 1024
WORTH_READING = re.compile(
    r"\b(ERROR|FATAL)\b"  # Kafka's own words
    r"|^(Caused by: )?[\w.$]+(Exception|Error)\b"  # the heads of stack traces, not their frames
    r"|^(Error|Exception)|^# \w"  # the JVM's
)

# Bounded: four files of 10 MB for each node. The launcher moves the log aside at every start, so
# that the current file is about the current run.
LOGGING = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="ERROR">
  <Appenders>
    <RollingFile name="file" fileName="${{sys:{LOG_PROPERTY}}}"
                 filePattern="${{sys:{LOG_PROPERTY}}}.%i">
      <PatternLayout pattern="%d{{ISO8601}} %-5p %m (%c)%n"/>
      <SizeBasedTriggeringPolicy size="10 MB"/>
      <DefaultRolloverStrategy max="3"/>
    </RollingFile>
  </Appenders>
  <Loggers>
    <Root level="INFO">
      <AppenderRef ref="file"/>
    </Root>
  </Loggers>
</Configuration>
"""


def last_errors(node: Node, limit: int = 4) -> tuple[str, ...]:
    """The last lines that tell why a node ended; empty when it was ended from outside."""
    return telling_lines([node.log, node.output], limit)


def telling_lines(logs: Iterable[Path], limit: int = 4) -> tuple[str, ...]:
    """The last lines of some logs that a person would look for."""
    lines = [line for log in logs for line in _tail(log)]
    telling = [line.strip() for line in lines if WORTH_READING.search(line)]
    return tuple(_shorten(line) for line in telling[-limit:])


def _tail(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
            return file.read().decode("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _shorten(line: str, width: int = 300) -> str:
    return line if len(line) <= width else f"{line[:width]} ..."
