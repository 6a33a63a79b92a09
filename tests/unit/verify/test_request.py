"""A verification in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.verify import request
from mirrorstack.verify.request import VerifyRequest, report_directory, run

REQUEST = VerifyRequest("dev", {"flows": []}, {"east": "secret"}, "reports")


def test_the_process_gets_the_request_on_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "JOB", "json.tool")  # prints what it reads

    assert json.loads(run(REQUEST))["connections"] == {"east": "secret"}


def test_a_failed_process_is_an_error_with_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "JOB", "no_such_module")
    progress: list[str] = []

    with pytest.raises(UserError, match="No module named no_such_module") as error:
        run(REQUEST, progress.append)

    assert error.value.message.startswith("Verification failed.\n\n")
    assert "mirrorstack verify -s dev" in error.value.fix
    assert progress


def test_reports_are_stored_by_stack(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path))

    assert report_directory("dev") == tmp_path / "verify" / "dev"
