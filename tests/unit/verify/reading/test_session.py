"""Configuration and start-up errors of the Spark session."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.verify.reading.session import _own_address, reason, settings


def java_options() -> list[str]:
    return settings(Path("jars"), Path("scratch"))["spark.driver.extraJavaOptions"].split()


def test_the_parallel_collector_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JDK_JAVA_OPTIONS", raising=False)
    monkeypatch.delenv("JAVA_TOOL_OPTIONS", raising=False)

    assert "-XX:+UseParallelGC" in java_options()


@pytest.mark.parametrize("name", ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"])
def test_a_collector_from_the_environment_is_respected(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "-Xss1m -XX:+UseSerialGC")

    assert not [option for option in java_options() if option.endswith("GC")]


def test_only_a_local_session_uses_loopback() -> None:
    assert _own_address("local[4]", {}) == {"SPARK_LOCAL_IP": "127.0.0.1"}
    assert _own_address("local[4]", {"SPARK_LOCAL_IP": "10.0.0.7"}) == {}
    assert _own_address("spark://master.example:7077", {}) == {}


@pytest.mark.parametrize(
    ("output", "error", "expected"),
    [
        (
            'Exception in thread "main" java.lang.Oops: Master must be local\n\tat a.B(C:1)\n',
            "it ended",
            'Exception in thread "main" java.lang.Oops: Master must be local',
        ),
        ("", "[JAVA_GATEWAY_EXITED] it ended", "[JAVA_GATEWAY_EXITED] it ended"),
        (
            "WARNING: Using incubator modules\nTo adjust logging level use sc.setLogLevel\n",
            "while calling\n: Oops: no client\n\tat a.B(C:1)\nCaused by: refused\n\t... 3 more\n",
            "Caused by: refused",
        ),
        (
            "WARN something",
            "IllegalStateException: Cannot call methods on a stopped SparkContext.",
            "no master answers at this address",
        ),
    ],
)
def test_a_start_error_shows_the_last_informative_line(
    output: str, error: str, expected: str
) -> None:
    assert reason(output, RuntimeError(error)) == expected
