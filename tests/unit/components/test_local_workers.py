"""Workers of this machine as resources."""

from __future__ import annotations

import socket
from collections.abc import Iterator
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
from mirrorstack.runtimes.local_worker import LocalWorker
from tests.unit.components.declaring import Registration, declare
from tests.unit.connect.scripted import Script
from tests.unit.runtimes.fake_worker import fake_worker

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
        monkeypatch.setattr("components.local_workers._live_state", lambda *_: "running")

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

    @pytest.mark.parametrize("state", ["dead", "unsupervised"])
    def test_a_worker_or_supervisor_that_ended_is_a_change(
        self, monkeypatch: pytest.MonkeyPatch, state: str
    ) -> None:
        monkeypatch.setattr("components.local_workers._live_state", lambda *_: state)

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


@pytest.fixture
def supervised(connect: Script, tmp_path: Path) -> Iterator[LocalWorker]:
    """A worker of which the REST API is the scripted server's, with its supervisor."""
    connect["GET /connectors?expand=status"] = (200, {})
    worker = fake_worker(tmp_path, connect.url)
    worker.wait_until_ready(worker.start(), 60)
    yield worker
    worker.stop()


def test_an_update_without_a_change_starts_a_missing_supervisor_and_no_worker(
    supervised: LocalWorker, connect: Script
) -> None:
    process, supervisor = supervised.process(), supervised.supervisor()
    assert supervisor is not None
    props = PROPS | {"directory": str(supervised.directory), "rest_url": connect.url}
    provider = LocalWorkerProvider()
    assert provider.read(str(supervised.directory), props).outs == props
    supervisor.kill()
    supervisor.wait(30)

    seen = provider.read(str(supervised.directory), props).outs or {}
    provider.update(str(supervised.directory), seen, props)

    assert seen["state"] == "unsupervised"
    assert supervised.process() == process
    assert supervised.supervisor() is not None


def test_a_worker_that_does_not_listen_is_dead(supervised: LocalWorker) -> None:
    props = PROPS | {"directory": str(supervised.directory)}

    assert (LocalWorkerProvider().read(str(supervised.directory), props).outs or {})[
        "state"
    ] == "dead"


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
