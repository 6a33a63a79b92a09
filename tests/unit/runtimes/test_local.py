"""Where workers of this machine listen, chosen without writing anything."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import UserError
from mirrorstack.runtimes import local
from mirrorstack.runtimes.base import DeployedWorkers
from mirrorstack.runtimes.local import LocalRuntime


def ports(runtime: LocalRuntime, target: str = "west", count: int = 1) -> list[int]:
    placement = runtime.place_workers(target, WorkerSettings(count=count), None)
    return [int(url.rpartition(":")[2]) for url in placement.rest_urls]


def test_the_ports_are_the_same_in_every_run_and_nothing_is_written(tmp_path: Path) -> None:
    first = ports(LocalRuntime("dev", tmp_path))

    assert first == ports(LocalRuntime("dev", tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_stacks_and_homes_start_their_search_at_different_ports(tmp_path: Path) -> None:
    chosen = {
        *ports(LocalRuntime("dev", tmp_path)),
        *ports(LocalRuntime("prod", tmp_path)),
        *ports(LocalRuntime("dev", tmp_path / "other")),
    }

    assert len(chosen) > 1


def test_two_targets_of_a_stack_never_share_a_port(tmp_path: Path) -> None:
    runtime = LocalRuntime("dev", tmp_path)
    chosen = [port for number in range(20) for port in ports(runtime, f"west-{number}", count=3)]

    assert len(set(chosen)) == len(chosen)


def test_a_port_in_use_is_skipped(tmp_path: Path) -> None:
    (port,) = ports(LocalRuntime("dev", tmp_path))
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen(1)

        assert ports(LocalRuntime("dev", tmp_path)) != [port]


def test_a_full_port_range_is_an_error_with_a_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "is_free", lambda _port: False)

    with pytest.raises(UserError, match=r"workers\.west: no 2 free ports in a row") as raised:
        ports(LocalRuntime("dev", tmp_path), count=2)

    assert "`rest-port` under `mirrorstack:workers.west`" in raised.value.fix


def test_deployed_workers_stay_where_they_are_though_they_hold_the_port(tmp_path: Path) -> None:
    deployed = DeployedWorkers("west", "mirrorstack-west", "http://127.0.0.1:18500")
    placement = LocalRuntime("dev", tmp_path).place_workers(
        "west", WorkerSettings(count=2), deployed
    )

    assert placement.rest_urls == ("http://127.0.0.1:18500", "http://127.0.0.1:18501")


def test_a_declared_port_comes_first(tmp_path: Path) -> None:
    settings = WorkerSettings.model_validate({"rest-port": 9000})
    deployed = DeployedWorkers("west", "mirrorstack-west", "http://127.0.0.1:18500")
    placement = LocalRuntime("dev", tmp_path).place_workers("west", settings, deployed)

    assert placement.rest_url == "http://127.0.0.1:9000"


def test_passwords_are_references_to_the_secrets_file_of_the_group(tmp_path: Path) -> None:
    reference = LocalRuntime("dev", tmp_path).secret_reference("west", "east")

    assert reference == f"${{file:{tmp_path}/workers/dev/west/secrets.properties:east}}"


def test_only_the_state_decides_whether_workers_are_deployed(tmp_path: Path) -> None:
    worker = tmp_path / "workers" / "dev" / "west" / "1" / "worker.properties"
    worker.parent.mkdir(parents=True)
    worker.touch()
    runtime = LocalRuntime("dev", tmp_path)

    assert not runtime.is_deployed(None)
    assert runtime.is_deployed(DeployedWorkers("west", "g", "http://127.0.0.1:1"))
