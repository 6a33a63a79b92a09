"""The files and the environment of a worker in a container."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path, PurePosixPath

from mirrorstack.runtimes.worker_container import (
    FAILURES,
    RESTARTING,
    command,
    environment,
    jar_names,
    memory_mb,
    plain_files,
    rest_files,
)

DIRECTORY = PurePosixPath("/etc/mirrorstack")


def test_memory_exceeds_the_heap() -> None:
    assert memory_mb(1000) == 1506


def test_a_large_heap_keeps_the_collector_of_java() -> None:
    small, large = (
        environment(heap, DIRECTORY / "jaas", DIRECTORY / "log", jars=False) for heap in (704, 8000)
    )

    assert "-XX:+UseParallelGC" in small["KAFKA_JVM_PERFORMANCE_OPTS"]
    assert "GC" not in large["KAFKA_JVM_PERFORMANCE_OPTS"]
    assert "CLASSPATH" not in small


def test_jars_and_an_agent_are_added() -> None:
    variables = environment(
        704, DIRECTORY / "jaas", DIRECTORY / "log", jars=True, agent="/opt/jmx.jar=9404:/m.yaml"
    )

    assert variables["CLASSPATH"] == "/opt/mirrorstack/*"
    assert variables["KAFKA_OPTS"].endswith("-javaagent:/opt/jmx.jar=9404:/m.yaml")


def test_the_health_check_asks_the_workers_own_listener() -> None:
    files = plain_files({"listeners": "http://0.0.0.0:8083"}, DIRECTORY)

    assert "/dev/tcp/127.0.0.1/8083" in files["healthy"]
    assert "$(</etc/mirrorstack/authorization)" in files["healthy"]
    assert files["worker.properties"].strip().startswith("listeners=")


def test_files_with_the_password_are_apart_from_the_others() -> None:
    files = rest_files("hunter3", DIRECTORY)

    assert files["rest-users.properties"].strip() == "mirrorstack=hunter3"
    assert "/etc/mirrorstack/rest-users.properties" in files["rest.jaas"]
    assert files["authorization"].startswith("Basic ")


def test_jars_of_the_same_name_do_not_overwrite_each_other() -> None:
    assert jar_names([Path("/a/policy.jar"), Path("/b/policy.jar")]) == [
        "1-policy.jar",
        "2-policy.jar",
    ]


DEDICATED = {"clusters": "west, east", "listeners": "http://0.0.0.0:8083"}


def test_dedicated_mode_has_no_login_and_any_response_is_healthy() -> None:
    files = plain_files(DEDICATED, DIRECTORY)

    assert "Authorization" not in files["healthy"]
    assert '"$status" -gt 0' in files["healthy"]
    variables = environment(704, None, DIRECTORY / "log", jars=False)
    assert "java.security.auth" not in variables["KAFKA_OPTS"]


def test_the_command_follows_from_the_config() -> None:
    assert command({"listeners": "http://a:1"}, DIRECTORY) == [
        "/opt/kafka/bin/connect-distributed.sh",
        "/etc/mirrorstack/worker.properties",
    ]
    assert command(DEDICATED, DIRECTORY) == [
        "bash",
        "/etc/mirrorstack/run",
        "/opt/kafka/bin/connect-mirror-maker.sh",
        "/etc/mirrorstack/worker.properties",
        "--clusters",
        "west",
    ]


def run(directory: Path, program: str) -> subprocess.Popen[bytes]:
    """The script of dedicated mode, with a shell in place of MirrorMaker."""
    script = directory / "run"
    script.write_text(
        RESTARTING.replace(FAILURES, str(directory / "failures.log")).replace(
            "sleep 5", "sleep 0.1"
        )
    )
    return subprocess.Popen(["bash", script, "bash", "-c", program], stderr=subprocess.PIPE)


def test_a_failed_task_ends_the_container_so_that_its_platform_restarts_it(tmp_path: Path) -> None:
    (tmp_path / "failures.log").write_text("Task threw ...")

    process = run(tmp_path, "sleep 60")

    _out, said = process.communicate(timeout=15)
    assert process.returncode == 1
    assert b"ERROR a task has FAILED" in said


def test_the_end_of_mirrormaker_is_the_end_of_the_container(tmp_path: Path) -> None:
    assert run(tmp_path, "exit 3").wait(15) == 3


def test_a_stopped_container_stops_mirrormaker_first(tmp_path: Path) -> None:
    ready, stopped = tmp_path / "ready", tmp_path / "stopped"
    process = run(
        tmp_path, f"trap 'touch {stopped}; exit 0' TERM; touch {ready}; while :; do sleep 0.1; done"
    )
    deadline = time.monotonic() + 15
    while not ready.exists() and time.monotonic() < deadline:
        time.sleep(0.05)

    process.terminate()

    process.wait(15)
    assert stopped.exists()
