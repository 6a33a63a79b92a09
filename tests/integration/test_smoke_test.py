"""The smoke test at the end of `pulumi up`, on a real mirror of all the hard topics of the seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer

from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_topics import GROUPS, TOPICS
from tests.integration.replicated_stack import flow, mirroring_project, stack
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, seeded: Sandbox, home: Path
) -> Iterator[PulumiProject]:
    project = mirroring_project(tmp_path_factory.mktemp("smoke"), home)
    project.timeout = 600  # Spark starts, and connects to every partition
    yield project
    declare(project, None, **{"delete-topics": True})
    project.up()
    project.pulumi("destroy", "--yes", "--skip-preview")
    for worker in all_below(home):
        worker.stop()


def declare(project: PulumiProject, run: str | None = None, **more: object) -> None:
    mirror = flow(
        *(topic.name for topic in TOPICS),
        groups=[group.name for group in GROUPS],
        checkpoint_seconds=1,
    )
    wanted = {"smoke-test": {"wait-seconds": 60, "run": run}} if run else {}
    project.configure(stack(mirror, sandbox="shared", **wanted, **more))


def test_up_passes_when_all_topics_match(project: PulumiProject, home: Path) -> None:
    declare(project, run="once")

    project.up()

    assert '"verdict": "equal"' in (home / "verify" / "dev" / "report.json").read_text()
    project.pulumi("preview", "--expect-no-changes")


def test_up_fails_with_the_table_of_differences(project: PulumiProject, seeded: Sandbox) -> None:
    config = seeded.connection(Cluster.WEST, Principal.ADMIN).client_config()
    producer = Producer(config | {"log_level": 0})
    producer.produce("east.ledger", b"forged", key=b"account-x")
    assert producer.flush(15) == 0
    declare(project, run="again")

    first, second = project.up(fails=True), project.up(fails=True)

    assert "ledger-0: 1 record unexpected" in first
    assert "account-x" in first
    assert "ledger-0: 1 record unexpected" in second, "what failed is verified again"
