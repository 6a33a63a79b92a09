"""The Java and Kafka of this clone, from the receipt of the set-up."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from mirrorstack.runtimes.installed import installed_kafka
from toolchain import receipt


def test_java_and_jars_come_from_the_receipt(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {name: SimpleNamespace(path=Path(f"/{name}")) for name in ("java", "kafka-jars")}
    monkeypatch.setattr(receipt, "read", lambda _home: parts)

    kafka = installed_kafka()

    assert (kafka.java, kafka.jars) == (Path("/java"), Path("/kafka-jars"))
