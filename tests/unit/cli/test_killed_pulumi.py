"""The lock and the plugins that a killed Pulumi leaves behind."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

from mirrorstack.cli.killed_pulumi import StackLock, end_orphaned_plugins, read_locks

NO_PROCESS = 2**22 + 1  # above the highest process id of Linux and macOS


def lock(pid: int, host: str | None = None) -> StackLock:
    return StackLock(pid, host or socket.gethostname(), "someone")


def test_a_lock_of_a_dead_process_is_stale() -> None:
    assert lock(NO_PROCESS).is_stale()


def test_a_lock_whose_process_id_was_reused_by_another_program_is_stale() -> None:
    assert lock(os.getpid()).is_stale()


def test_a_lock_of_another_machine_is_never_stale() -> None:
    assert not lock(NO_PROCESS, "another-machine").is_stale()


def test_locks_are_read_from_a_file_backend(tmp_path: Path) -> None:
    directory = tmp_path / ".pulumi" / "locks" / "organization" / "mirrorstack" / "local"
    directory.mkdir(parents=True)
    content = {"pid": 7, "username": "ann", "hostname": "here", "timestamp": "-"}
    (directory / "one.json").write_text(json.dumps(content))

    backend = f"file://{tmp_path}?create_dir=true"

    assert read_locks(backend, "local") == [StackLock(7, "here", "ann")]
    assert read_locks(backend, "other") == []
    assert read_locks("s3://bucket", "local") == []


def test_a_directory_without_plugins_has_no_orphans(tmp_path: Path) -> None:
    assert end_orphaned_plugins(tmp_path) == 0
