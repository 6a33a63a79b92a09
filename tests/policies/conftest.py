"""What the policy tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.setup import ROOT
from toolchain.shell import pulumi_home

PACK = ROOT / "policies"

# Nothing listens there: a preview of a creation asks no cluster.
PROGRAM = """
    import pulumi
    import pulumi_kafka as kafka

    config = pulumi.Config()
    west = kafka.Provider("west", bootstrap_servers=["127.0.0.1:9"])
    kafka.Topic(
        "topic",
        name="east.orders",
        partitions=6,
        replication_factor=config.get_int("factor", 1),
        config=config.get_object("config", {}),
        opts=pulumi.ResourceOptions(provider=west),
    )
"""


@pytest.fixture
def project(tmp_path: Path) -> PulumiProject:
    """A program of one topic, to preview under the pack."""
    pulumi = receipt.read(ROOT / ".mirrorstack")["pulumi"].path
    project = PulumiProject(tmp_path, name="shop", pulumi=pulumi, pulumi_home=pulumi_home())
    project.write("__main__.py", PROGRAM)
    return project
