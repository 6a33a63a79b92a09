"""Where workers of this machine run."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.runtimes.base import DeployedWorkers
from mirrorstack.runtimes.local import LocalRuntime
from mirrorstack.runtimes.local_worker import LocalWorker

DEPLOYED = DeployedWorkers("west", ("mirrorstack-west",), "http://127.0.0.1:18500")


def test_a_preview_writes_nothing(tmp_path: Path) -> None:
    first = LocalRuntime("dev", tmp_path).place_workers("west", WorkerSettings(), None)

    assert first == LocalRuntime("dev", tmp_path).place_workers("west", WorkerSettings(), None)
    assert list(tmp_path.iterdir()) == []


def test_homes_and_stacks_have_different_ports(tmp_path: Path) -> None:
    runtimes = [LocalRuntime(f"dev-{number}", tmp_path / str(number)) for number in range(5)]
    urls = {each.place_workers("west", WorkerSettings(), None).rest_url for each in runtimes}

    assert len(urls) > 1


def test_each_worker_has_an_address_of_this_machine(tmp_path: Path) -> None:
    placement = LocalRuntime("dev", tmp_path).place_workers(
        "west", WorkerSettings(count=2), DEPLOYED
    )

    assert placement.rest_urls == ("http://127.0.0.1:18500", "http://127.0.0.1:18501")


def test_passwords_are_references_to_the_secrets_file_of_the_group(tmp_path: Path) -> None:
    reference = LocalRuntime("dev", tmp_path).secret_reference("west", "east")

    assert reference == f"${{file:{tmp_path}/workers/dev/west/secrets.properties:east}}"


def test_all_workers_of_a_target_are_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[str] = []
    monkeypatch.setattr(LocalWorker, "stop", lambda worker: stopped.append(worker.name))
    for number in (1, 2):
        (tmp_path / "dev" / "west" / str(number)).mkdir(parents=True)
        (tmp_path / "dev" / "west" / str(number) / "worker.properties").touch()

    LocalRuntime.stop_workers({"directory": str(tmp_path / "dev" / "west")})

    assert stopped == ["dev/west/1", "dev/west/2"]


def test_only_the_state_decides_whether_workers_are_deployed(tmp_path: Path) -> None:
    worker = tmp_path / "workers" / "dev" / "west" / "1" / "worker.properties"
    worker.parent.mkdir(parents=True)
    worker.touch()
    runtime = LocalRuntime("dev", tmp_path)

    assert not runtime.is_deployed(None)
    assert runtime.is_deployed(DEPLOYED)
