"""Connectors on Connect workers that somebody else runs: here, the workers of another stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.runtimes.local_worker import credentials_file, secrets_file
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import delete_acls
from tests.integration.replicated_stack import (
    admin,
    deployed,
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

OWNERS, OURS = "existing-owners", "existing-ours"
GROUP = "existing-workers"
PASSWORD_KEY = "west-connect-password"


@dataclass(frozen=True)
class Workers:
    """A Connect cluster of another stack, and how to log in to it."""

    directory: Path
    url: str

    @property
    def login(self) -> credentials.Credentials:
        return credentials.load(credentials_file(self.directory))

    @property
    def client(self) -> ConnectClient:
        return ConnectClient(self.url, self.login)

    def declared(self, **changes: Any) -> dict[str, Any]:
        """A stack that uses them: for it, east is called `east2`, so names do not collide."""
        existing = {
            "runtime": "existing",
            "rest-url": self.url,
            "rest-security": {"authentication": "basic", "username": self.login.username},
            "group": GROUP,
            # The owner keeps one password by alias, and calls the source east.
            "secret-reference": f"${{file:{secrets_file(self.directory)}:{{alias}}}}",
            **changes,
        }
        clusters = {
            "east2": {"sandbox": "shared", "cluster": "east", "acls": "shared"},
            "west": {"sandbox": "shared", "acls": "shared"},
        }
        return {
            "clusters": clusters,
            "flows": [flow(OURS, source="east2")],
            "workers": {"west": existing},
        }


@pytest.fixture(scope="module")
def workers(
    tmp_path_factory: pytest.TempPathFactory, home: Path, sandbox: Sandbox
) -> Iterator[Workers]:
    for topic in (OWNERS, OURS):
        fill((sandbox, Cluster.EAST), topic)
    settings = stack(flow(OWNERS), sandbox="shared", workers={"west": {"group": GROUP}})
    for cluster in settings["clusters"].values():
        cluster["acls"] = "shared"
    directory = tmp_path_factory.mktemp("owner")
    with deployed(directory, home, settings) as (group, url):
        # The password of the source under the alias that the other stack has for it.
        secrets = secrets_file(group)
        lines = secrets.read_text().splitlines()
        (east,) = (line for line in lines if line.startswith("east="))
        secrets.write_text("\n".join([*lines, east.replace("east=", "east2=", 1)]) + "\n")
        yield Workers(group, url)
    delete_acls(sandbox)


@pytest.fixture
def project(tmp_path: Path, home: Path, workers: Workers) -> Iterator[PulumiProject]:
    made = mirroring_project(tmp_path, home)
    configure(made, workers)
    yield made
    made.pulumi("destroy", "--yes", "--skip-preview")


def configure(project: PulumiProject, workers: Workers, **changes: Any) -> None:
    project.configure(workers.declared(**changes))
    project.pulumi("config", "set", "--secret", PASSWORD_KEY, workers.login.password)


def test_a_stack_replicates_with_them_and_leaves_them_as_they_were(
    project: PulumiProject, workers: Workers, sandbox: Sandbox
) -> None:
    before = workers.client.statuses().keys()

    project.up()

    equal_within(sandbox, {OURS: f"east2.{OURS}"})
    assert workers.client.statuses().keys() - before == {
        "east2-to-west-source",
        "east2-to-west-heartbeat",
    }
    project.up("--expect-no-changes")
    write((sandbox, Cluster.EAST), OURS, records=50)
    equal_within(sandbox, {OURS: f"east2.{OURS}"})
    assert workers.login.password not in project.pulumi("stack", "export")

    project.pulumi("destroy", "--yes", "--skip-preview")

    assert workers.client.statuses().keys() == before
    write((sandbox, Cluster.EAST), OWNERS, records=50)
    equal_within(sandbox, {OWNERS: f"east.{OWNERS}"})
    topics = admin(sandbox, Cluster.WEST).list_topics(timeout=15).topics
    assert f"{GROUP}-configs" in topics, "the owner's internal topics stay"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rest-url": "http://127.0.0.1:9"}, "no Connect worker responds"),
        ({"group": "of-nobody"}, 'the Connect group "of-nobody" has no members on west'),
        (
            {"rest-security": {"authentication": "basic", "username": "nobody"}},
            "workers.west.rest-security: login failed",
        ),
        (
            {"secret-reference": "${file:/nowhere/secrets.properties:{alias}}"},
            "workers.west.secret-reference: the workers cannot resolve ${file:/nowhere/",
        ),
    ],
)
def test_what_does_not_fit_the_workers_is_an_error_at_preview(
    project: PulumiProject, workers: Workers, changes: dict[str, Any], said: str
) -> None:
    configure(project, workers, **changes)

    output = project.pulumi("preview", fails=True)

    assert said in output
    assert "Traceback" not in output
    assert workers.login.password not in output


def test_workers_of_another_cluster_are_refused(project: PulumiProject, workers: Workers) -> None:
    declared = workers.declared()
    declared["clusters"]["west"]["cluster"] = "east"
    declared["clusters"]["east2"]["cluster"] = "west"
    declared["flows"] = [flow("heartbeats.*", source="east2")]
    project.configure(declared)
    project.pulumi("config", "set", "--secret", PASSWORD_KEY, workers.login.password)

    assert "are workers of another cluster" in project.pulumi("preview", fails=True)


def test_connectors_of_the_owner_are_not_taken_over(
    project: PulumiProject, workers: Workers
) -> None:
    declared = workers.declared()
    declared["clusters"]["east"] = declared["clusters"].pop("east2")
    declared["flows"] = [flow(OURS)]
    project.configure(declared)
    project.pulumi("config", "set", "--secret", PASSWORD_KEY, workers.login.password)

    output = project.pulumi("preview", fails=True)

    assert "connectors that this stack did not create: east-to-west-heartbeat" in output
