"""`mirrorstack verify` on the command line, and what it must not reveal."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import jsonschema
import psutil
import pytest
import yaml

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.reading.records import RecordReader, with_hashes
from mirrorstack.verify.reading.session import session
from mirrorstack.verify.report.schema import report_schema
from tests import reports
from tests.integration.conftest import CommandLine, eventually
from tests.integration.record_copier import BEGAN, Copier, Written

HERE = "typed"


@pytest.fixture(scope="module")
def copier(sandbox: Sandbox) -> Copier:
    copier = Copier(sandbox, HERE)
    copier.copy("typed-topic")
    return copier


@pytest.fixture(scope="module")
def stack_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clusters = {
        HERE: {"sandbox": "shared", "cluster": "east"},
        "west": {"sandbox": "shared"},
    }
    flow = {"from": HERE, "to": "west", "topics": ["typed-topic"], "heartbeats": False}
    file = tmp_path_factory.mktemp("stacks") / "Pulumi.typed.yaml"
    config = {"mirrorstack:clusters": clusters, "mirrorstack:flows": [flow]}
    file.write_text(yaml.safe_dump({"config": config}))
    return file


@pytest.mark.slow
def test_exit_status_0_if_equal_and_1_if_different(
    mirrorstack: CommandLine, copier: Copier, stack_file: Path, tmp_path: Path
) -> None:
    words = ("verify", "--stack-file", str(stack_file), "--report", str(tmp_path), "--wait", "5")
    equal = mirrorstack(*words, "--json")
    copier.write(copier.target, f"{HERE}.typed-topic", [Written(b"who", b"secret", BEGAN)])
    different = mirrorstack(*words)

    assert equal.returncode == 0, equal.stderr
    jsonschema.validate(json.loads(equal.stdout), report_schema())
    assert json.loads(equal.stdout)["verdict"] == "equal"
    assert different.returncode == 1, different.stderr
    assert "typed-topic-0: 1 record unexpected" in different.stdout
    assert "Source and target differ." in different.stdout
    written = (tmp_path / "report.json").read_text() + (tmp_path / "report.html").read_text()
    assert "who" in written
    assert "secret" not in written + different.stdout, "payloads only when asked for"


def test_a_missing_stack_file_is_one_error_with_exit_status_2(mirrorstack: CommandLine) -> None:
    ended = mirrorstack("verify", "-s", "nowhere")

    assert ended.returncode == 2
    assert "no such stack file" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("moment", "seconds"),
    [
        ("Java starts", 0.0),
        ("Java starts", 2.0),  # Spark is starting in it
        ("starting Spark", 0.0),
        ("catch up", 0.0),
        ("catch up", 0.5),  # it is comparing
    ],
)
def test_an_interrupt_prints_one_line_and_keeps_the_previous_report(
    mirrorstack: CommandLine,
    copier: Copier,
    stack_file: Path,
    tmp_path: Path,
    moment: str,
    seconds: float,
) -> None:
    """Interrupts after a delay, wherever the run is by then."""
    (tmp_path / "report.json").write_text(reports.equal().to_json())
    words = ("verify", "--stack-file", str(stack_file), "--report", str(tmp_path), "--full")
    process = mirrorstack.start(*words, own_session=True)
    assert process.stderr is not None
    heard = ""
    if moment == "Java starts":
        eventually(lambda: _java_below(process.pid), moment)
    else:
        heard = "".join(_until(process.stderr, moment))
    time.sleep(seconds)
    below = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    said = heard + process.communicate(timeout=60)[1]

    assert process.returncode == 130, said
    assert said.endswith("\nInterrupted; run the command again to resume.\n")
    assert not [line for line in said.splitlines() if line and line[0] not in "✓…I"], said
    assert (tmp_path / "report.json").read_text() == reports.equal().to_json()
    assert not [each for each in below if _is_alive(each)], "Java has ended, too"


def _until(stream: IO[str], moment: str) -> Iterator[str]:
    for line in stream:
        yield line
        if moment in line:
            return


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _java_below(pid: int) -> list[psutil.Process]:
    return [each for each in psutil.Process(pid).children(recursive=True) if "java" in each.name()]


@pytest.mark.slow
def test_a_master_that_does_not_answer_is_one_error_with_exit_status_2(
    mirrorstack: CommandLine, copier: Copier, stack_file: Path, tmp_path: Path
) -> None:
    words = ("verify", "--stack-file", str(stack_file), "--report", str(tmp_path))
    ended = mirrorstack(*words, "--master", "spark://127.0.0.1:1")

    assert ended.returncode == 2, ended.stderr
    assert "Spark does not start with master spark://127.0.0.1:1" in ended.stderr
    assert "no master answers at this address" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_passwords_are_neither_in_sparks_web_ui_nor_in_its_event_log(
    copier: Copier, sandbox: Sandbox, tmp_path: Path
) -> None:
    connection = sandbox.connection(Cluster.EAST, Principal.ADMIN)
    shown = {
        "spark.ui.enabled": "true",
        "spark.ui.port": "0",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": tmp_path.as_uri(),
        "spark.eventLog.compress": "false",
    }
    with session(more=shown) as spark:
        read = RecordReader(spark, connection).read(
            {TopicPartition("typed-topic", 0): OffsetRange(0, 200)}
        )
        assert with_hashes(read, "source").count() == 200
        address = spark.sparkContext.uiWebUrl
        plan = with_hashes(read, "source")._jdf.queryExecution().toString()
        pages = [
            urllib.request.urlopen(f"{address}/{page}").read().decode()  # noqa: S310
            for page in ("environment/", "jobs/", "SQL/", "SQL/execution/?id=0")
        ]
    logged = "".join(file.read_text() for file in tmp_path.rglob("*") if file.is_file())

    assert "mirrorstack verify" in pages[0], "what is searched must be the real thing"
    assert "SparkListenerSQLExecutionStart" in logged
    for text in (*pages, plan, logged):
        assert connection.password not in text
