"""What fails comes back: by the supervisor, by `mirrorstack restart`, after a reboot.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mirrorstack.cli.local_recovery import start_local_processes
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import MIRRORSTACK, eventually
from tests.integration.denied_acls import denied, derived_acl
from tests.integration.killed_workers import kill_supervisor, kill_worker, running
from tests.integration.replicated_stack import (
    Place,
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

TOPIC = "restarted"
MIRRORED = {TOPIC: f"east.{TOPIC}"}
CONNECTOR = "east-to-west-source"
SETTINGS = stack(
    flow(TOPIC, tasks=1),
    sandbox="shared",
    workers={"west": {"group": "restarting"}},
    **{"delete-topics": True},
)


@dataclass(frozen=True)
class Mirror:
    project: PulumiProject
    sandbox: Sandbox
    home: Path

    @property
    def worker(self) -> LocalWorker:
        return LocalWorker(self.home / "workers" / "dev" / "west" / "1")

    @property
    def log(self) -> str:
        return (self.worker.directory / "supervisor.log").read_text()

    @property
    def west(self) -> Place:
        return (self.sandbox, Cluster.WEST)

    def write(self) -> None:
        write((self.sandbox, Cluster.EAST), TOPIC, 20)

    def replicates(self) -> None:
        self.write()
        equal_within(self.sandbox, MIRRORED, 120)

    def state(self) -> str:
        """FAILED if a task has failed; empty where Connect does not answer."""
        outputs = json.loads(self.project.pulumi("stack", "output", "--json"))
        login = credentials.load(credentials_file(self.worker.directory.parent))
        client = ConnectClient(outputs["connect"]["west"], login, retries=RetryPolicy(seconds=0))
        try:
            status = client.status(CONNECTOR)
        except UserError:
            return ""
        return "FAILED" if status and status.has_failed else status.state if status else ""

    def fails(self) -> None:
        """Write a record that the task may not write to the target."""
        self.write()
        eventually(lambda: self.state() == "FAILED", "the task has FAILED", within=60)

    def restart(self, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (*MIRRORSTACK, "restart", "-s", "dev", *options),
            env=self.project.environ | {"MIRRORSTACK_HOME": str(self.home)},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )


@pytest.fixture(scope="module")
def mirror(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[Mirror]:
    fill((sandbox, Cluster.EAST), TOPIC, partitions=1)
    project = mirroring_project(tmp_path_factory.mktemp("restarts"), home)
    project.configure(SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIRRORSTACK_HOME", str(home))
        project.up()
        yield Mirror(project, sandbox, home)
        project.pulumi("destroy", "--yes", "--skip-preview")


def test_a_killed_worker_comes_back_by_itself(mirror: Mirror) -> None:
    before = running(mirror.worker)

    before.kill()

    eventually(
        lambda: (now := mirror.worker.process()) and now.pid != before.pid, "it is back", within=60
    )
    mirror.replicates()
    assert "the worker ended: exit status -9" in mirror.log
    mirror.project.up("--expect-no-changes")


def test_a_failed_task_is_restarted_automatically(mirror: Mirror) -> None:
    with denied(mirror.west, derived_acl(SETTINGS, "west", Operation.WRITE, "east.")):
        mirror.fails()

    equal_within(mirror.sandbox, MIRRORED, 180)
    assert f"restarted task 0 of {CONNECTOR}, attempt 1 of 7: " in mirror.log
    assert "TopicAuthorizationException" in mirror.log


def test_a_killed_supervisor_is_replaced_by_up_without_a_restart_of_the_worker(
    mirror: Mirror,
) -> None:
    before = running(mirror.worker)
    kill_supervisor(mirror.worker)

    mirror.project.up()

    assert running(mirror.worker) == before
    assert mirror.worker.supervisor() is not None
    mirror.project.up("--expect-no-changes")


def test_the_restart_command_restarts_what_has_failed(mirror: Mirror) -> None:
    kill_supervisor(mirror.worker)
    with denied(mirror.west, derived_acl(SETTINGS, "west", Operation.WRITE, "east.")):
        mirror.fails()
        still = mirror.restart("--timeout", "30")

    again = mirror.restart("--json")

    assert still.returncode == 1, still.stderr
    assert "task 0 FAILED" in still.stdout
    assert "TopicAuthorizationException" in still.stdout
    assert again.returncode == 0, again.stdout + again.stderr
    source = next(
        each for each in json.loads(again.stdout)["connectors"] if each["connector"] == CONNECTOR
    )
    assert (source["restarted"], source["ok"]) == (["task 0"], True)
    equal_within(mirror.sandbox, MIRRORED, 120)


def test_the_restart_command_can_restart_everything(mirror: Mirror) -> None:
    said = mirror.restart("--all")
    nothing = mirror.restart()

    assert said.returncode == 0, said.stdout + said.stderr
    assert "connector, task 0" in said.stdout
    assert nothing.returncode == 0
    assert "connector, task 0" not in nothing.stdout
    mirror.replicates()


def test_after_a_reboot_one_command_brings_the_stack_back(mirror: Mirror) -> None:
    kill_worker(mirror.worker)
    assert mirror.restart().returncode == 2

    recovery = start_local_processes("dev", mirror.home, mirror.project.directory, Console())

    assert recovery.workers == ["dev/west/1"]
    mirror.replicates()
    mirror.project.up("--expect-no-changes")


def test_destroy_ends_the_supervisor_and_nothing_comes_back(mirror: Mirror) -> None:
    assert mirror.worker.supervisor() is not None

    mirror.project.pulumi("destroy", "--yes", "--skip-preview")

    assert mirror.worker.supervisor() is None
    assert mirror.worker.process() is None
    assert not mirror.worker.directory.exists()
