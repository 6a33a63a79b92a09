"""The files of a worker on this machine."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from mirrorstack.local.java_properties import load
from mirrorstack.runtimes.local_worker import (
    LocalWorker,
    all_below,
    credentials_file,
    secrets_file,
)
from mirrorstack.runtimes.worker_java import jar_copies


def written(home: Path, number: int = 1, **passwords: str) -> LocalWorker:
    worker = LocalWorker(home / "workers" / "dev" / "west" / str(number))
    worker.write(
        {"group.id": "mine", "ssl.truststore.location": "/tls/ca.pem"}, passwords, ["java"]
    )
    return worker


def test_only_its_owner_can_read_the_files(tmp_path: Path) -> None:
    written(tmp_path, east="hunter2")

    files = [path for path in (tmp_path / "workers").rglob("*") if path.is_file()]
    assert files
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_passwords_are_in_the_secrets_file_only_and_quoted_for_jaas(tmp_path: Path) -> None:
    worker = written(tmp_path, east='p"a\\ss')

    (secret,) = load(worker.secrets_file.read_bytes())
    assert (secret.key, secret.value) == ("east", 'p\\"a\\\\ss')
    others = [f for f in worker.directory.iterdir() if f != worker.secrets_file]
    assert not [file for file in others if 'p"a' in file.read_text()]


def test_jars_are_copied_in_their_order_and_those_of_before_are_removed(tmp_path: Path) -> None:
    for name in ("b.jar", "a.jar"):
        (tmp_path / name).write_text(name)
    worker = written(tmp_path)

    def copied(*jars: Path) -> list[str]:
        worker.write({}, {}, ["java"], jars)
        copies = sorted((worker.directory / "jars").iterdir())
        assert copies == jar_copies(worker.directory, jars)
        return [copy.read_text() for copy in copies]

    assert copied(tmp_path / "b.jar", tmp_path / "a.jar") == ["b.jar", "a.jar"]
    assert copied(tmp_path / "a.jar") == ["a.jar"]


def test_the_workers_of_a_group_share_one_login(tmp_path: Path) -> None:
    first, second = written(tmp_path, 1), written(tmp_path, 2)

    assert first.credentials_file == second.credentials_file
    login = json.loads(first.credentials_file.read_text())
    for worker in (first, second):
        assert login["password"] in (worker.directory / "rest-users.properties").read_text()


def test_the_last_worker_of_a_group_deletes_the_shared_files(tmp_path: Path) -> None:
    first, second = written(tmp_path, 1), written(tmp_path, 2)
    group = first.directory.parent

    first.remove()
    assert secrets_file(group).exists()

    second.remove()
    assert not secrets_file(group).exists()
    assert not credentials_file(group).exists()


def test_workers_are_found_by_their_files(tmp_path: Path) -> None:
    worker = written(tmp_path)

    assert all_below(tmp_path) == [worker]
    assert worker.name == "dev/west/1"
    assert worker.uses(Path("/tls"))
    assert not worker.uses(Path("/other"))
    assert worker.process() is None
    assert worker.supervisor() is None
    assert worker.has_command


def test_stopping_what_does_not_run_is_no_error(tmp_path: Path) -> None:
    written(tmp_path).stop()
