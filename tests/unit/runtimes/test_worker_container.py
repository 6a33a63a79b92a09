"""The files and the environment of a worker in a container."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from mirrorstack.runtimes.worker_container import (
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
