"""Logging of brokers and workers, and the lines of their logs that report errors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

LOG_PROPERTY = "mirrorstack.log"
TAIL_BYTES = 256 * 1024
ERROR_LINE = re.compile(
    r"\b(ERROR|FATAL)\b"  # Kafka's log levels
    r"|^(Caused by: )?[\w.$]+(Exception|Error)\b"  # first lines of stack traces
    r"|^(Error|Exception)|^# \w"  # printed by the JVM
)

# Connect logs these when a task or a connector has FAILED; nothing restarts it then.
FAILURE = "(will not recover until manually restarted|Error while starting connector)"
# Bounded: four files of 10 MB for each process. Every start renames the log first, so that
# the current file is about the current run.
_LOGGING = """\
<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="ERROR">
  <Appenders>
    <RollingFile name="file" fileName="${sys:LOG_PROPERTY}"
                 filePattern="${sys:LOG_PROPERTY}.%i">
      <PatternLayout pattern="%d{ISO8601} %-5p %m (%c)%n"/>
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
""".replace("LOG_PROPERTY", LOG_PROPERTY)


def log_config(failures: str = "") -> str:
    """Of a broker or a worker, which gets its file as the property LOG_PROPERTY. With `failures`,
    the lines that report a FAILED task or connector are in that file, too."""
    return with_failures(_LOGGING, failures) if failures else _LOGGING


def with_failures(config: str, file: str) -> str:
    """Each start empties the file."""
    appender = (
        f'    <File name="failures" fileName="{file}" append="false">\n'
        f'      <RegexFilter regex="(?s).*{FAILURE}.*" onMatch="ACCEPT" onMismatch="DENY"/>\n'
        '      <PatternLayout pattern="%d{ISO8601} %m{nolookups}%n"/>\n'
        "    </File>\n"
    )
    config = config.replace("  </Appenders>", f"{appender}  </Appenders>")
    return config.replace("</Root>", '<AppenderRef ref="failures"/></Root>')


def error_lines(logs: Iterable[Path], limit: int = 4) -> tuple[str, ...]:
    """The last lines that report errors, of several logs together."""
    lines = [line for log in logs for line in _tail(log)]
    return tuple(_shorten(line) for line in _errors(lines)[-limit:])


def last_errors(log: str, limit: int) -> list[str]:
    """The last lines of a log's text that report errors; without any, its last lines."""
    lines = [line for line in log.splitlines() if line.strip()]
    return [_shorten(line) for line in (_errors(lines) or lines)[-limit:]]


def _errors(lines: Iterable[str]) -> list[str]:
    return [line.strip() for line in lines if ERROR_LINE.search(line)]


def _tail(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
            return file.read().decode("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _shorten(line: str, width: int = 300) -> str:
    return line if len(line) <= width else f"{line[:width]} ..."
