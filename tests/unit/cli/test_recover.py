"""What is left of a `pulumi up` that was killed, read from its lock and its state."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

from mirrorstack.cli.recover import Lock, pending_creates, read_locks

NOBODY = 2**22 + 1  # above the highest process id that Linux and macOS give out


def lock(pid: int, host: str | None = None) -> Lock:
    return Lock(pid, host or socket.gethostname(), "someone")


def test_a_lock_of_a_dead_process_is_stale() -> None:
    assert lock(NOBODY).is_stale()


def test_a_lock_whose_process_id_now_belongs_to_another_program_is_stale() -> None:
    assert lock(os.getpid()).is_stale()


def test_a_lock_of_another_machine_is_never_called_stale() -> None:
    assert not lock(NOBODY, "another-machine").is_stale()


def test_locks_are_read_from_a_file_backend(tmp_path: Path) -> None:
    directory = tmp_path / ".pulumi" / "locks" / "organization" / "mirrorstack" / "local"
    directory.mkdir(parents=True)
    content = {"pid": 7, "username": "ann", "hostname": "here", "timestamp": "-"}
    (directory / "one.json").write_text(json.dumps(content))

    backend = f"file://{tmp_path}?create_dir=true"

    assert read_locks(backend, "local") == [Lock(7, "here", "ann")]
    assert read_locks(backend, "other") == []
    assert read_locks("s3://bucket", "local") == []


def test_only_interrupted_creations_are_forgotten() -> None:
    operations = [
        {"type": "creating", "resource": {"urn": "urn:new"}},
        {"type": "deleting", "resource": {"urn": "urn:old"}},
    ]

    assert pending_creates({"pending_operations": operations}) == ["urn:new"]
    assert pending_creates({}) == []
