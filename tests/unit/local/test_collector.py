"""The garbage collector that is selected for Java."""

from __future__ import annotations

import pytest

from mirrorstack.local.collector import ENVIRONMENT, PARALLEL, parallel_collector


@pytest.fixture(autouse=True)
def no_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


def test_the_parallel_collector_is_selected_beside_other_options() -> None:
    assert parallel_collector(["-Xmx512m", "-XX:+UseStringDeduplication"]) == [PARALLEL]


def test_a_collector_among_the_options_stays_the_only_one() -> None:
    assert parallel_collector(["-XX:+UseSerialGC"]) == []


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_a_collector_from_the_environment_stays_the_only_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "-Xshare:auto -XX:+UseZGC")

    assert parallel_collector() == []
