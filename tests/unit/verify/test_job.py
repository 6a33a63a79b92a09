"""The process of a verification, without Spark and clusters; files and streams are real."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.clusters import Role
from mirrorstack.findings import UserError
from mirrorstack.verify import job
from mirrorstack.verify.report.report import Report
from tests import reports

PASSWORD = "hunter2"
ADMIN = {
    "bootstrap_servers": "e:1",
    "username": "boss",
    "password": PASSWORD,
    "protocol": "SASL_SSL",
    "mechanism": "PLAIN",
    "ca_path": None,
}
SETTINGS: dict[str, Any] = {
    "clusters": {
        alias: {"bootstrap-servers": [f"{alias}:1"], "security": {"protocol": "PLAINTEXT"}}
        for alias in ("east", "west")
    },
    "flows": [{"from": "east", "to": "west", "topics": ["orders"]}],
    "smoke-test": {
        "wait-seconds": 7,
        "master": "local[3]",
        "spark": {"spark.executor.memory": "4g"},
    },
}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """The masters and settings of the sessions that were started."""
    started: list[tuple[str, Any]] = []

    @contextmanager
    def session(master: str, more: Any) -> Iterator[str]:
        started.append((master, more))
        yield "the session"

    monkeypatch.setattr(job, "session", session)
    return started


@pytest.fixture
def verify_returns(
    monkeypatch: pytest.MonkeyPatch, started: list[tuple[str, Any]]
) -> Callable[[Report | Exception], list[tuple[Any, ...]]]:
    """Sets the result of the verification; returns the list of its calls."""

    def set_result(result: Report | Exception) -> list[tuple[Any, ...]]:
        calls: list[tuple[Any, ...]] = []

        def verify(*arguments: Any) -> Report:
            calls.append(arguments)
            if isinstance(result, Exception):
                raise result
            return result

        monkeypatch.setattr(job, "verify", verify)
        return calls

    return set_result


@pytest.fixture
def request_on_stdin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Writes a request to stdin; returns the directory of its report."""

    def write(settings: dict[str, Any] = SETTINGS) -> Path:
        content = {
            "stack": "dev",
            "settings": settings,
            "connections": {"east": {"admin": ADMIN}},
            "directory": str(tmp_path / "reports"),
        }
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(content)))
        return tmp_path / "reports"

    return write


@pytest.mark.parametrize(("report", "status"), [(reports.equal(), 0), (reports.different(), 1)])
def test_the_report_is_written_and_the_verdict_is_the_exit_status(
    verify_returns: Callable[..., Any],
    request_on_stdin: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    report: Report,
    status: int,
) -> None:
    verify_returns(report)
    directory = request_on_stdin()

    assert job.main() == status

    assert json.loads((directory / "report.json").read_text())["verdict"] == report.verdict
    assert (directory / "report.html").exists()
    assert "orders" in capsys.readouterr().out


def test_the_request_decides_settings_connections_and_the_spark_session(
    verify_returns: Callable[..., list[tuple[Any, ...]]],
    request_on_stdin: Callable[..., Path],
    started: list[tuple[str, Any]],
) -> None:
    calls = verify_returns(reports.equal())
    request_on_stdin()

    job.main()

    ((spark, settings, clusters, stack, options, *_),) = calls
    assert started == [("local[3]", {"spark.executor.memory": "4g"})]
    assert (spark, stack, options.wait_seconds) == ("the session", "dev", 7)
    assert settings.flows[0].topics == ("orders",)
    assert clusters.connection("east", Role.ADMIN).password == PASSWORD


def test_invalid_settings_end_before_spark_starts(
    verify_returns: Callable[..., Any],
    request_on_stdin: Callable[..., Path],
    started: list[tuple[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    verify_returns(reports.equal())
    directory = request_on_stdin({**SETTINGS, "flows": [{"from": "east", "to": "wset"}]})

    assert job.main() == 2

    assert "wset" in capsys.readouterr().out
    assert started == []
    assert not directory.exists()


def test_a_user_error_is_printed_without_the_passwords_of_the_request(
    verify_returns: Callable[..., Any],
    request_on_stdin: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    verify_returns(UserError("Cluster east does not answer.", "start it"))
    directory = request_on_stdin()

    assert job.main() == 2

    printed = capsys.readouterr()
    assert "Cluster east does not answer." in printed.out
    assert "start it" in printed.out
    assert PASSWORD not in printed.out + printed.err
    assert not (directory / "report.json").exists()
