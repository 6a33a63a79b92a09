"""Ports of REST APIs, chosen without writing anything."""

from __future__ import annotations

import socket

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import UserError
from mirrorstack.runtimes import rest_ports
from mirrorstack.runtimes.base import DeployedWorkers
from mirrorstack.runtimes.rest_ports import RestPorts

DEPLOYED = DeployedWorkers("west", ("mirrorstack-west",), "http://127.0.0.1:18500")


def chosen(
    ports: RestPorts | None = None, *, target: str = "west", seed: str = "dev", count: int = 1
) -> list[int]:
    settings = WorkerSettings(count=count)
    return list((ports or RestPorts()).of_workers(target, settings, None, seed))


def test_the_ports_are_the_same_in_every_run() -> None:
    assert chosen(count=2) == chosen(count=2)


def test_stacks_start_their_search_at_different_ports() -> None:
    assert len({port for number in range(5) for port in chosen(seed=f"stack-{number}")}) > 1


def test_two_targets_of_a_stack_never_share_a_port() -> None:
    ports = RestPorts()
    every = [
        port for number in range(20) for port in chosen(ports, target=f"west-{number}", count=3)
    ]

    assert len(set(every)) == len(every)


def test_a_port_in_use_is_skipped() -> None:
    (port,) = chosen()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen(1)

        assert chosen() != [port]


def test_a_full_port_range_is_an_error_with_a_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_ports, "is_free", lambda _port: False)

    with pytest.raises(UserError, match=r"workers\.west: no 2 free ports in a row") as raised:
        chosen(count=2)

    assert "`rest-port` under `mirrorstack:workers.west`" in raised.value.fix


def test_deployed_workers_stay_where_they_are_though_they_hold_the_port() -> None:
    ports = RestPorts().of_workers("west", WorkerSettings(count=2), DEPLOYED, "dev")

    assert list(ports) == [18500, 18501]


def test_a_declared_port_comes_first() -> None:
    settings = WorkerSettings.model_validate({"rest-port": 9000})

    assert list(RestPorts().of_workers("west", settings, DEPLOYED, "dev")) == [9000]
