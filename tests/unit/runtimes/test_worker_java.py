"""The Java process of a local worker."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.local.collector import ENVIRONMENT, PARALLEL
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.runtimes.worker_java import (
    LOG,
    MARK,
    OUTPUT,
    launch,
    worker_command,
    worker_processes,
)
from tests.unit.runtimes.fake_worker import ENDS, fake_worker, visible


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[LocalWorker]:
    worker = fake_worker(tmp_path, "http://127.0.0.1:1")
    yield worker
    worker.stop()


def test_the_command_line_has_the_mark_and_the_heap_and_no_password(tmp_path: Path) -> None:
    command = worker_command(tmp_path, KafkaInstallation(Path("/java"), Path("/jars")), 512)

    assert command[0] == "/java"
    assert {f"{MARK}{tmp_path}", "-Xmx512m", "-XX:+ExitOnOutOfMemoryError"} <= set(command)
    assert command[-1] == str(tmp_path / "worker.properties")


def test_a_small_heap_has_the_parallel_collector_unless_the_worker_is_to_start_quickly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    kafka = KafkaInstallation(Path("/java"), Path("/jars"))

    assert PARALLEL in worker_command(tmp_path, kafka.for_throughput(), 4096)
    assert PARALLEL not in worker_command(tmp_path, kafka.for_throughput(), 4097)
    assert PARALLEL not in worker_command(tmp_path, kafka, 512), "the JVM allows one collector"


def test_a_launched_worker_is_found_by_its_directory(worker: LocalWorker) -> None:
    child = visible(worker)

    (found,) = worker_processes(worker.directory)
    assert found.pid == child.pid
    assert worker_processes(worker.directory.parent) == []


def test_a_start_renames_the_log_of_the_previous_run(tmp_path: Path) -> None:
    worker = fake_worker(tmp_path, "http://127.0.0.1:1", ENDS)
    (worker.directory / LOG).write_text("previous")

    launch(worker.directory).wait(30)

    assert (worker.directory / f"{LOG}.before").read_text() == "previous"
    output = worker.directory / OUTPUT
    assert output.read_text() == "ERROR no such class\n"
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
