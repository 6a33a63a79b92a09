"""Workers of this machine as resources."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from pulumi.dynamic import ConfigureRequest
from pulumi.dynamic.config import Config

from components.local_workers import (
    LocalWorkerArgs,
    LocalWorkerProcess,
    LocalWorkerProvider,
)
from mirrorstack.findings import UserError
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.policy_jars import PolicyJar
from tests.unit.components.declaring import Registration, declare

PROPS: dict[str, Any] = {
    "directory": "/workers/dev/west/1",
    "config": {"group.id": "mine"},
    "password_references": {"east": {"config_key": "east-mirror-password"}},
    "password_fingerprint": "abc",
    "rest_url": "http://127.0.0.1:1",
    "heap_mb": 512.0,
    "quick_start": True,
    "state": "running",
}


def worker(**more: Any) -> Registration:
    args = LocalWorkerArgs(
        directory=Path("/workers/dev/west/1"),
        config={"group.id": "mine"},
        rest_url="http://127.0.0.1:1",
        heap_mb=512,
        passwords={"east": PasswordReference(config_key="east-mirror-password")},
        password_fingerprint="abc",
        **more,
    )
    return declare(lambda: LocalWorkerProcess("worker", args)).resources["worker"]


def test_passwords_are_references_and_the_fingerprint_is_a_secret() -> None:
    resource = worker()

    assert resource.inputs["password_references"] == {
        "east": {"config_key": "east-mirror-password"}
    }
    assert resource.secrets == {"password_fingerprint"}


class TestDiff:
    @pytest.fixture(autouse=True)
    def alive(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("components.local_workers._is_alive", lambda *_: True)

    def test_nothing_changes_without_a_change(self) -> None:
        assert LocalWorkerProvider().diff("id", PROPS, dict(PROPS)).changes is False

    def test_a_changed_password_restarts_the_worker(self) -> None:
        result = LocalWorkerProvider().diff("id", PROPS, PROPS | {"password_fingerprint": "def"})

        assert (result.changes, result.replaces) == (True, [])

    def test_another_jar_restarts_the_worker_and_another_path_does_not(self) -> None:
        before = PROPS | {"jars": ["abc"], "jar_paths": ["/own.jar"]}

        changed = LocalWorkerProvider().diff("id", before, before | {"jars": ["def"]})
        moved = LocalWorkerProvider().diff("id", before, before | {"jar_paths": ["/lib/own.jar"]})

        assert (changed.changes, moved.changes) == (True, False)

    def test_another_directory_replaces_and_deletes_first(self) -> None:
        result = LocalWorkerProvider().diff("id", PROPS, PROPS | {"directory": "/elsewhere"})

        assert result.replaces == ["directory"]
        assert result.delete_before_replace

    def test_a_worker_that_ended_is_a_change(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("components.local_workers._is_alive", lambda *_: False)

        assert LocalWorkerProvider().diff("id", PROPS, dict(PROPS)).changes is True


def test_a_jar_that_changed_after_the_preview_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("components.local_workers._check_port_is_free", lambda _: None)
    (tmp_path / "own.jar").write_text("new")
    props = {
        "directory": str(tmp_path / "1"),
        "password_references": {},
        "jars": ["old"],
        "jar_paths": [str(tmp_path / "own.jar")],
    }

    with pytest.raises(UserError, match=r"own\.jar has changed since the preview"):
        LocalWorkerProvider().create(PROPS | props)


def test_jars_are_declared_by_their_content() -> None:
    assert "jars" not in worker().inputs
    declared = worker(jars=(PolicyJar(Path("/own.jar"), "abc"),)).inputs

    assert (declared["jars"], declared["jar_paths"]) == (["abc"], ["/own.jar"])


def test_a_port_that_another_process_holds_is_reported(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        props = {"rest_url": f"http://127.0.0.1:{port}", "directory": str(tmp_path / "1")}

        with pytest.raises(UserError, match=f"Port {port} .* is taken") as raised:
            LocalWorkerProvider().create(PROPS | props)

    assert "rest-port" in raised.value.fix
    assert not (tmp_path / "1").exists(), "nothing is written for a worker that cannot start"


def test_passwords_come_from_the_stack_s_config() -> None:
    provider = LocalWorkerProvider()
    provider.configure(
        ConfigureRequest(Config({"shop:east-mirror-password": "hunter2"}, project_name="shop"))
    )

    assert provider.password(PROPS["password_references"]["east"]) == "hunter2"
