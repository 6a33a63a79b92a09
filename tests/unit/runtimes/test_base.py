"""What every runtime has without defining it."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement
from mirrorstack.runtimes.registry import RUNTIMES


def test_connectors_use_the_first_worker_s_rest_api() -> None:
    placement = WorkerPlacement(rest_urls=("http://a:1", "http://b:1"))

    assert placement.rest_url == "http://a:1"
    assert placement.credentials_file is None


def test_workers_are_deployed_if_the_state_has_them(tmp_path: Path) -> None:
    for create in RUNTIMES.values():
        runtime: Runtime = create("dev", tmp_path)

        assert not runtime.is_deployed(None)
        assert runtime.is_deployed(DeployedWorkers("west", "mine", "http://a:1"))
