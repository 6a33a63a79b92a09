"""What is left of a `pulumi up` that was killed, read from its lock and its state."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

from mirrorstack.ops.recover import Lock, adopting, pending_creates, read_locks

NOBODY = 2**22 + 1  # above the highest process id that Linux and macOS give out


def lock(pid: int, host: str | None = None) -> Lock:
    return Lock(pid, host or socket.gethostname(), "someone")


def state(*pending: dict[str, Any]) -> dict[str, Any]:
    deployment = {"resources": [{"urn": "urn:stack"}], "pending_operations": list(pending)}
    return {"version": 3, "deployment": deployment}


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


def test_an_interrupted_topic_is_adopted_under_its_name() -> None:
    topic = {"urn": "urn:t", "type": "kafka:index/topic:Topic", "inputs": {"name": "east.orders"}}

    deployment = adopting(state({"type": "creating", "resource": topic}))["deployment"]

    assert deployment["resources"] == [
        {"urn": "urn:stack"},
        {**topic, "id": "east.orders", "outputs": {}},
    ]
    assert deployment["pending_operations"] == []


def test_an_interrupted_creation_whose_id_nobody_knows_is_forgotten() -> None:
    other = {"urn": "urn:o", "type": "some:other:Thing", "inputs": {}}

    deployment = adopting(state({"type": "creating", "resource": other}))["deployment"]

    assert deployment["resources"] == [{"urn": "urn:stack"}]
    assert deployment["pending_operations"] == []


def test_interrupted_deletions_are_left_to_pulumi() -> None:
    deletion = {"type": "deleting", "resource": {"urn": "urn:d", "type": "x", "inputs": {}}}

    assert adopting(state(deletion))["deployment"]["pending_operations"] == [deletion]
    assert pending_creates(state(deletion)["deployment"]) == []


def test_a_state_without_interrupted_work_has_nothing_to_recover() -> None:
    assert pending_creates({}) == []
