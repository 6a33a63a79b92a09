"""A real standalone Spark cluster on loopback: one master and some workers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyspark

from mirrorstack.local.home import ROOT
from tests.integration.conftest import eventually
from toolchain import receipt

HOME = Path(pyspark.__file__).parent
MASTER, WORKER = (f"org.apache.spark.deploy.{name}" for name in ("master.Master", "worker.Worker"))


EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"


@dataclass(frozen=True)
class SparkCluster:
    url: str
    directory: Path
    """Where the workers store the output of executors."""
    workers: Sequence[subprocess.Popen[bytes]]

    def executors(self) -> list[psutil.Process]:
        return [
            child
            for worker in self.workers
            for child in psutil.Process(worker.pid).children(recursive=True)
            if EXECUTOR in _command(child)
        ]

    def said(self) -> str:
        """The output of master, workers and executors."""
        files = [*self.directory.glob("*.log"), *self.directory.rglob("std*")]
        return "".join(file.read_text(errors="replace") for file in files)


def _command(process: psutil.Process) -> list[str]:
    """Empty if the process has exited: the JVM starts short-lived helpers."""
    with suppress(psutil.Error):
        return process.cmdline()
    return []


@contextmanager
def spark_cluster(directory: Path, workers: int = 2) -> Iterator[SparkCluster]:
    """Started when all workers are registered; stopped with their executors at the end."""
    with ExitStack() as started:
        log = directory / "master.log"
        started.enter_context(
            _running(log, MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        )
        url = _said(log, r"Starting Spark master at (spark://\S+)")
        options = ("--cores", "1", "--memory", "1g", "--webui-port", "0", "--host", "127.0.0.1")
        running = [
            started.enter_context(
                _running(
                    directory / f"worker-{number}.log",
                    WORKER,
                    *options,
                    *("--work-dir", str(directory / f"work-{number}")),
                    url,
                )
            )
            for number in range(workers)
        ]
        for number in range(workers):
            _said(directory / f"worker-{number}.log", r"(Successfully registered)")
        yield SparkCluster(url, directory, running)


def _said(log: Path, pattern: str) -> str:
    def found() -> str:
        hit = re.search(pattern, log.read_text(errors="replace"))
        return hit.group(1) if hit else ""

    return eventually(found, f"{pattern} in {log.name}", within=120)


@contextmanager
def _running(log: Path, java_class: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    java = receipt.read(ROOT / ".mirrorstack")["java"].path.resolve()
    environment = {
        **os.environ,
        "JAVA_HOME": str(java.parent.parent),
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
    }
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [str(HOME / "bin" / "spark-class"), java_class, *words],
            env=environment,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        ended = [*psutil.Process(process.pid).children(recursive=True)]
        process.terminate()
        process.wait(30)
        for each in psutil.wait_procs(ended, timeout=30)[1]:
            each.kill()
