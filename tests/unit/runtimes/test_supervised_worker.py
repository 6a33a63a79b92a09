"""The worker of a supervisor: a child, or one that ran before."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.runtimes.supervised_worker import SupervisedWorker
from tests.unit.runtimes.fake_worker import ENDS, fake_worker, visible

NO_CONNECT = "http://127.0.0.1:1"


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[LocalWorker]:
    worker = fake_worker(tmp_path, NO_CONNECT)
    yield worker
    worker.stop()


def test_a_child_is_alive_until_it_is_stopped(worker: LocalWorker) -> None:
    supervised = SupervisedWorker(worker.directory)
    supervised.launch()
    assert supervised.is_alive

    supervised.stop()

    assert not supervised.is_alive
    assert worker.process() is None


def test_a_worker_that_runs_already_is_adopted(worker: LocalWorker) -> None:
    child = visible(worker)
    supervised = SupervisedWorker(worker.directory)

    assert supervised.adopt()
    assert (supervised.pid, supervised.is_alive) == (child.pid, True)

    child.kill()
    child.wait(30)
    assert not supervised.is_alive
    assert supervised.reap() == "exit status unknown"


def test_without_a_worker_there_is_nothing_to_adopt(worker: LocalWorker) -> None:
    supervised = SupervisedWorker(worker.directory)

    assert not supervised.adopt()
    assert (supervised.pid, supervised.is_alive) == (None, False)


def test_how_a_child_ended_is_reported_with_its_last_error(tmp_path: Path) -> None:
    supervised = SupervisedWorker(fake_worker(tmp_path, NO_CONNECT, ENDS).directory)
    supervised.launch()
    while supervised.is_alive:
        pass

    assert supervised.reap() == "exit status 3; ERROR no such class"


def test_removed_files_are_noticed(worker: LocalWorker) -> None:
    supervised = SupervisedWorker(worker.directory)
    assert supervised.has_files

    shutil.rmtree(worker.directory)

    assert not supervised.has_files


def test_one_broker_that_accepts_connections_is_enough(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as broker:
        port = broker.getsockname()[1]
        servers = f"127.0.0.1:1, 127.0.0.1:{port}"
        worker = fake_worker(tmp_path, NO_CONNECT, bootstrap_servers=servers)
        assert SupervisedWorker(worker.directory).brokers_accept_connections()

    assert not SupervisedWorker(worker.directory).brokers_accept_connections()


@pytest.mark.parametrize("servers", ["", "no-port", "127.0.0.1:nine"])
def test_an_address_that_is_none_accepts_nothing(tmp_path: Path, servers: str) -> None:
    worker = fake_worker(tmp_path, NO_CONNECT, bootstrap_servers=servers)

    assert not SupervisedWorker(worker.directory).brokers_accept_connections()
