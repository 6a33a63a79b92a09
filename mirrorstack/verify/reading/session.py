"""The Spark session: no web UI, no secrets in its configuration, and progress for the console.

Passwords reach executors as options of each read. They are never part of Spark's configuration,
which is shown in its web UI, event log and command line.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
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
from mirrorstack.console import Step
from mirrorstack.findings import UserError
from mirrorstack.local.collector import parallel_collector
from mirrorstack.local.home import ROOT
from mirrorstack.verify.interrupts import defer_interrupts, on_interrupt
from toolchain import receipt, versions
from toolchain.java import major

CORES = os.cpu_count() or 2
# Twice the cores, because connecting to a broker is mostly waiting.
LOCAL_MASTER = f"local[{2 * CORES}]"
EXIT_SECONDS = 10.0
PROGRESS_SECONDS = 0.5
# Lines of Spark's output that never explain an error: stack frames and start-up messages.
UNINFORMATIVE = (
    "at ",
    "...",
    "WARNING:",
    "Using Spark",
    "Setting default log",
    "To adjust logging",
)
LOGGING = Path(__file__).with_name("log4j2.properties")


def settings(jars: Path, scratch: Path, master: str = LOCAL_MASTER) -> dict[str, str]:
    """Spark's configuration; `jars` holds its Kafka source, `scratch` is a writable directory."""
    return {
        "spark.master": master,
        "spark.app.name": "mirrorstack verify",
        "spark.jars": ",".join(sorted(str(jar) for jar in jars.glob("*.jar"))),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        **FIXED_SPARK_SETTINGS,
        "spark.sql.shuffle.partitions": str(2 * CORES),
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        # A cached consumer for each partition and side holds some MB of fetched data. Both caches
        # are limited, or a few hundred partitions would fill the memory.
        "spark.kafka.consumer.cache.capacity": "64",
        "spark.kafka.consumer.fetchedData.cache.timeout": "1s",
        "spark.kafka.consumer.fetchedData.cache.evictorThreadRunInterval": "1s",
        # Spark's default without Kafka. The V1 source converts each record to objects and back to a
        # row, which costs a sixth of the total time.
        "spark.sql.sources.useV1SourceList": "avro,csv,json,orc,parquet,text",
        "spark.driver.memory": "2g",
        # Pauses do not matter here, and the parallel collector is a tenth faster.
        "spark.driver.extraJavaOptions": " ".join(
            [*parallel_collector(), f"-Dlog4j2.configurationFile={LOGGING}"]
        ),
        "spark.executor.extraJavaOptions": "-XX:+ExitOnOutOfMemoryError",
    }


@contextmanager
def session(
    master: str = LOCAL_MASTER, more: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session that is always stopped; `more` is additional Spark configuration. One process has
    one session at a time."""
    parts = receipt.read(ROOT / ".mirrorstack")
    java = parts["java"]
    if major(java.version) > versions.JAVA_FOR_SPARK_AT_MOST:
        raise UserError(
            f"Spark supports Java up to {versions.JAVA_FOR_SPARK_AT_MOST}; the selected JDK is "
            f"{java.version}.",
            f"install a JDK {versions.JAVA_AT_LEAST} or {versions.JAVA_FOR_SPARK_AT_MOST}, or "
            "set JAVA_HOME to one, then run `make setup`",
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
    """A local session uses loopback, so that the host name need not resolve. Executors on other
    machines must reach this process by its real address."""
    name = "SPARK_LOCAL_IP"
    return {} if name in environ or not master.startswith("local") else {name: "127.0.0.1"}


def _opened(conf: SparkConf, log: Path) -> SparkSession:
    """The JVM's output goes to a file and is only used when it does not start."""
    gateway = None
    try:
        if SparkContext._gateway is None:  # one JVM in each process, for all its sessions
            with log.open("wb") as stream, defer_interrupts():
                streams = {"stderr": stream, "stdout": stream}
                gateway = launch_gateway(conf, streams)  # type: ignore[no-untyped-call]
                on_interrupt(lambda: _end(gateway.proc))
        # In the main thread it would install its own SIGINT handler.
        with ThreadPoolExecutor(max_workers=1) as pool:
            context = pool.submit(lambda: SparkContext(conf=conf, gateway=gateway)).result()
        return SparkSession(context)
    except (PySparkRuntimeError, Py4JError) as error:
        output = log.read_text(errors="replace") if log.exists() else ""
        raise UserError(
            f"Spark does not start with master {conf.get('spark.master')}: {reason(output, error)}",
            "check the master URL and Spark's configuration (`smoke-test.master`, "
            "`smoke-test.spark`, --master, --conf), and run `mirrorstack doctor`",
        ) from error


def _end(java: subprocess.Popen[bytes]) -> None:
    """The JVM exits and removes its files when its stdin is closed."""
    if java.stdin:
        java.stdin.close()
    try:
        java.wait(EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        java.kill()


def reason(output: str, error: Exception) -> str:
    """The last informative line of the JVM's output, or else of the exception."""
    if "stopped SparkContext" in str(error):
        return "no master answers at this address"
    for text in (output, str(error)):
        lines = [line.strip() for line in text.splitlines()]
        if informative := [line for line in lines if line and not line.startswith(UNINFORMATIVE)]:
            return informative[-1]
    return str(error)


@contextmanager
def show_progress(spark: SparkSession, step: Step, what: str) -> Iterator[None]:
    """Report on the step how many tasks of the active stages are complete."""
    tracker = spark.sparkContext.statusTracker()
    finished = threading.Event()

    def update() -> None:
        while not finished.wait(PROGRESS_SECONDS):
            stages = [tracker.getStageInfo(ident) for ident in tracker.getActiveStageIds()]
            active = [stage for stage in stages if stage is not None]
            if active:
                done = sum(stage.numCompletedTasks for stage in active)
                step.counted(done, sum(stage.numTasks for stage in active), what)

    thread = threading.Thread(target=update, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
