"""A sandbox's paths and nodes without any Kafka."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.settings import SandboxClusterSettings, Settings


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path.resolve(), "trial")


def settings_of(brokers: int, east_port: int = 19092, west_port: int = 29092) -> Settings:
    return Settings(
        brokers=brokers,
        east=SandboxClusterSettings(cluster_id="AAAAAAAAAAAAAAAAAAAAAA", port=east_port),
        west=SandboxClusterSettings(cluster_id="BBBBBBBBBBBBBBBBBBBBBB", port=west_port),
    )
