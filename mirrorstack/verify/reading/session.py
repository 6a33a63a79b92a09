"""The Spark session that verifies: quiet, without a web page, and without secrets in its settings.

Passwords reach executors as options of each read. They are never part of Spark's configuration,
which its web page, its event log and its command line show.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from mirrorstack.config.smoke_test import FIXED_SPARK_SETTINGS
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from mirrorstack.verify.interrupts import defer_interrupts, on_interrupt
from toolchain import receipt, versions
from toolchain.java import major

CORES = os.cpu_count() or 2
# Twice the cores: to connect to a broker is mostly waiting.
LOCAL_MASTER = f"local[{2 * CORES}]"
ENDING_SECONDS = 10.0
# Where stacks are told, and what Java says whenever Spark starts.
SAYS_NOTHING = ("at ", "...", "WARNING:", "Using Spark", "Setting default log", "To adjust logging")
LOGGING = Path(__file__).with_name("log4j2.properties")


def settings(jars: Path, scratch: Path, master: str = LOCAL_MASTER) -> dict[str, str]:
    """Spark's settings; `jars` holds its Kafka source, `scratch` is a directory to write to."""
    return {
        "spark.master": master,
        "spark.app.name": "mirrorstack verify",
        "spark.jars": ",".join(sorted(str(jar) for jar in jars.glob("*.jar"))),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        **FIXED_SPARK_SETTINGS,
        "spark.sql.shuffle.partitions": str(2 * CORES),
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        # Each partition and side has a connection, kept for when it is read again; and with it what
        # was fetched last, some MB. So only some are kept, and what was fetched for a moment: else
        # a few hundred partitions fill the memory.
        "spark.kafka.consumer.cache.capacity": "64",
        "spark.kafka.consumer.fetchedData.cache.timeout": "1s",
        "spark.kafka.consumer.fetchedData.cache.evictorThreadRunInterval": "1s",
        # Spark's own list without Kafka. By its older way of reading, each record becomes objects
        # for people and is turned back into a row, which costs a sixth of the whole.
        "spark.sql.sources.useV1SourceList": "avro,csv,json,orc,parquet,text",
        "spark.driver.memory": "2g",
        "spark.driver.extraJavaOptions": f"{_collector()} -Dlog4j2.configurationFile={LOGGING}",
        "spark.executor.extraJavaOptions": "-XX:+ExitOnOutOfMemoryError",
    }


def _collector() -> str:
    """Nobody waits for answers meanwhile, so this one reads a tenth more in the same time. Java
    does not start with two, and one may be chosen in its environment."""
    chosen = " ".join(
        os.environ.get(name, "") for name in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
    )
    return "" if re.search(r"-XX:\+Use\w*GC\b", chosen) else "-XX:+UseParallelGC"


@contextmanager
def session(
    master: str = LOCAL_MASTER, more: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session that ends, whatever happens; `more` are settings of Spark's. One process has one
    session at a time."""
    parts = receipt.read(ROOT / ".mirrorstack")
    java = parts["java"]
    if major(java.version) > versions.JAVA_FOR_SPARK_AT_MOST:
        raise UserError(
            f"Spark does not run on Java {java.version}, the newest that this machine has to offer "
            f"is to be {versions.JAVA_FOR_SPARK_AT_MOST}.",
            f"install a JDK {versions.JAVA_AT_LEAST} or {versions.JAVA_FOR_SPARK_AT_MOST}, or "
            "point JAVA_HOME at one, then type `make setup`",
        )
    os.environ["JAVA_HOME"] = str(java.path.resolve().parent.parent)
    os.environ.update(_own_address(master))
    with tempfile.TemporaryDirectory(prefix="mirrorstack-spark-") as directory:
        on_interrupt(lambda: shutil.rmtree(directory, ignore_errors=True))
        scratch = Path(directory)
        conf = SparkConf()
        values = settings(parts["spark-jars"].path, scratch, master) | dict(more or {})
        conf.setAll(list(values.items()))
        spark = _opened(conf, scratch / "spark.log")
        try:
            yield spark
        finally:
            with suppress(Py4JError):  # Java may have ended before
                spark.stop()


def _own_address(master: str, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Loopback will do for a session that is all in one process: the machine's name need not be
    known to anybody. Executors elsewhere have to reach this process by its real address."""
    name = "SPARK_LOCAL_IP"
    return {} if name in environ or not master.startswith("local") else {name: "127.0.0.1"}


def _opened(conf: SparkConf, log: Path) -> SparkSession:
    """Java's own remarks go to a file: people see them only when it does not start."""
    gateway = None
    try:
        if SparkContext._gateway is None:  # a process has one Java, whatever sessions come and go
            with log.open("wb") as stream, defer_interrupts():
                streams = {"stderr": stream, "stdout": stream}
                gateway = launch_gateway(conf, streams)  # type: ignore[no-untyped-call]
                on_interrupt(lambda: _end(gateway.proc))
        # In the main thread it would put a handler of interrupts of its own in place.
        with ThreadPoolExecutor(max_workers=1) as pool:
            context = pool.submit(lambda: SparkContext(conf=conf, gateway=gateway)).result()
        return SparkSession(context)
    except (PySparkRuntimeError, Py4JError) as error:
        said = log.read_text(errors="replace") if log.exists() else ""
        raise UserError(
            f"Spark does not start with master {conf.get('spark.master')}: {reason(said, error)}",
            "check the master's address and Spark's settings (`master` and `spark` of the stack's "
            "smoke-test, --master, --conf), and the parts with `mirrorstack doctor`",
        ) from error


def _end(java: subprocess.Popen[bytes]) -> None:
    """Java ends, and puts its files away, when nobody talks to it any more."""
    if java.stdin:
        java.stdin.close()
    try:
        java.wait(ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        java.kill()


def reason(said: str, error: Exception) -> str:
    """Of what Java said, or else of what Python heard, the line that tells most."""
    if "stopped SparkContext" in str(error):
        return "nobody answers there"
    for text in (said, str(error)):
        lines = [line.strip() for line in text.splitlines()]
        if telling := [line for line in lines if line and not line.startswith(SAYS_NOTHING)]:
            return telling[-1]
    return str(error)
