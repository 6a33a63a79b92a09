"""The Java process of a local worker: its command line, its start, and how it is found."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from mirrorstack.local.collector import SHORT_PAUSES_MB, parallel_collector
from mirrorstack.local.files import write_private
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY
from mirrorstack.local.processes import MarkedProcess, marked_processes

CONNECT = "org.apache.kafka.connect.cli.ConnectDistributed"
MIRROR_MAKER = "org.apache.kafka.connect.mirror.MirrorMaker"
MARK = "-Dmirrorstack.worker="
LOG, OUTPUT = "worker.log", "worker.out"
COMMAND = "command.json"
JARS = "jars"
GRACE_SECONDS = 30.0
"""For a worker to stop its tasks, before it is killed."""


def jar_copies(directory: Path, jars: Sequence[Path]) -> list[Path]:
    """Where a worker has its copies of the jars with the replication policies of its flows."""
    return [directory / JARS / f"{number}.jar" for number, _ in enumerate(jars, start=1)]


def worker_command(
    directory: Path,
    runtime: KafkaInstallation,
    heap_mb: int,
    class_path: Sequence[Path] = (),
    *,
    dedicated_at: str = "",
) -> list[str]:
    """The command line of the worker in a directory. It holds no secret. `dedicated_at`: the target
    cluster of MirrorMaker in dedicated mode."""
    options = [
        f"{MARK}{directory}",
        f"-Xmx{heap_mb}m",
        *(parallel_collector(runtime.tuning) if heap_mb <= SHORT_PAUSES_MB else ()),
        # A task without memory would stay FAILED in a worker that looks alive.
        "-XX:+ExitOnOutOfMemoryError",
        *([] if dedicated_at else [f"-Djava.security.auth.login.config={directory / 'rest.jaas'}"]),
        f"-D{LOG_PROPERTY}={directory / LOG}",
        f"-Dlog4j2.configurationFile={directory / 'logging.xml'}",
    ]
    properties = directory / "worker.properties"
    program: tuple[str | Path, ...] = (CONNECT, properties)
    if dedicated_at:
        program = (MIRROR_MAKER, properties, "--clusters", dedicated_at)
    return runtime.command(
        *program,
        options=options,
        class_path=class_path,
    )


def write_command(directory: Path, command: Sequence[str]) -> None:
    """For `launch`, which may run long after this process has ended."""
    write_private(directory / COMMAND, json.dumps(list(command), indent=2))


def launch(directory: Path) -> subprocess.Popen[bytes]:
    """Start the worker in a session of its own. A worker of this directory must not run already."""
    command = json.loads((directory / COMMAND).read_text("utf-8"))
    log = directory / LOG
    if log.exists():
        log.replace(log.with_name(f"{log.name}.before"))
    output = os.open(directory / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o077,
            cwd=directory,
        )
    finally:
        os.close(output)


def worker_processes(directory: Path) -> list[MarkedProcess]:
    """The running worker of a directory, by the mark on its command line; a pid could be reused."""
    return [found for found in marked_processes(MARK) if found.directory == directory]
