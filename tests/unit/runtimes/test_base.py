"""What every runtime has without defining it."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.runtimes.base import DeployedWorkers, WorkerPlacement
from mirrorstack.runtimes.local import LocalRuntime


def test_connectors_use_the_first_worker_s_rest_api() -> None:
    placement = WorkerPlacement(rest_urls=("http://a:1", "http://b:1"))

    assert placement.rest_url == "http://a:1"
    assert placement.login == RestLogin()


def test_workers_are_deployed_if_the_state_has_them(tmp_path: Path) -> None:
    runtime = LocalRuntime("dev", tmp_path)

    assert not runtime.is_deployed(None)
    assert runtime.is_deployed(DeployedWorkers("west", ("mine",), "http://a:1"))
