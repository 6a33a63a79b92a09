"""The program on the real engine and real clusters: stack file in, topics on west out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.setup import ROOT
from toolchain.shell import pulumi_home


def admin(sandbox: Sandbox, cluster: Cluster) -> AdminClient:
    return AdminClient(sandbox.connection(cluster, Principal.ADMIN).client_config())


def create(sandbox: Sandbox, name: str, partitions: int = 1, **config: str) -> str:
    """A topic on east; underscores in config keys stand for dots."""
    settings = {key.replace("_", "."): value for key, value in config.items()}
    client = admin(sandbox, Cluster.EAST)
    client.create_topics([NewTopic(name, partitions, config=settings)])[name].result()
    eventually(lambda: name in client.list_topics().topics, f"topic {name} is on east")
    return name


def flow(*topics: str, **changes: Any) -> dict[str, Any]:
    clusters = {"east": {"sandbox": "shared"}, "west": {"sandbox": "shared"}}
    flows = [{"from": "east", "to": "west", "topics": list(topics)}]
    return {"clusters": clusters, "flows": flows, **changes}


@pytest.fixture
def project(tmp_path: Path, home: Path, sandbox: Sandbox) -> PulumiProject:
    """This repository's program in a project of the test's own."""
    pulumi = receipt.read(ROOT / ".mirrorstack")["pulumi"].path
    project = PulumiProject(
        tmp_path,
        name="mirrorstack",
        pulumi=pulumi,
        pulumi_home=pulumi_home(),
        MIRRORSTACK_HOME=str(home),
    )
    shutil.copy2(ROOT / "__main__.py", project.directory)
    return project


class TestDeploying:
    def test_topics_arrive_on_the_target_and_stay_as_they_are(
        self, project: PulumiProject, sandbox: Sandbox
    ) -> None:
        topic = create(
            sandbox, "program-deploys", 3, retention_ms="7200000", min_insync_replicas="1"
        )
        project.configure(flow(topic))

        project.up()
        project.up("--expect-no-changes")
        project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")

        west = admin(sandbox, Cluster.WEST)
        remote = west.list_topics().topics[f"east.{topic}"]
        assert len(remote.partitions) == 3
        resource = ConfigResource(ConfigResource.Type.TOPIC, f"east.{topic}")
        config = west.describe_configs([resource])[resource].result()
        assert config["retention.ms"].value == "7200000"

    def test_the_outputs_name_the_topics(self, project: PulumiProject, sandbox: Sandbox) -> None:
        project.configure(flow(create(sandbox, "program-outputs")))
        project.up()

        outputs = json.loads(project.pulumi("stack", "output", "--json"))

        assert outputs == {"east-to-west": {"topics": ["east.program-outputs"]}}

    def test_no_password_reaches_the_state_or_the_output(
        self, project: PulumiProject, sandbox: Sandbox
    ) -> None:
        project.configure(flow(create(sandbox, "program-secrets")))

        said = project.up() + project.pulumi("stack", "output", "--json") + project.pulumi("stack")
        state = "".join(file.read_text() for file in project.state.rglob("*") if file.is_file())

        assert "east.program-secrets" in state, "the state that is searched must be the real one"
        for cluster in Cluster:
            password = sandbox.connection(cluster, Principal.ADMIN).password
            assert password not in said
            assert password not in state

    def test_a_topic_deleted_behind_pulumi_s_back_comes_back(
        self, project: PulumiProject, sandbox: Sandbox
    ) -> None:
        project.configure(flow(create(sandbox, "program-drift")))
        project.up()
        west = admin(sandbox, Cluster.WEST)
        west.delete_topics(["east.program-drift"])["east.program-drift"].result()
        eventually(
            lambda: "east.program-drift" not in west.list_topics().topics, "the topic is gone"
        )

        project.up("--refresh")

        assert "east.program-drift" in west.list_topics().topics

    def test_destroy_does_not_delete_topics(self, project: PulumiProject, sandbox: Sandbox) -> None:
        project.configure(flow(create(sandbox, "program-protects")))
        project.up()

        said = project.pulumi("destroy", "--yes", "--skip-preview", fails=True)

        assert "protected" in said
        assert "east.program-protects" in admin(sandbox, Cluster.WEST).list_topics().topics


class TestMistakes:
    def refused(self, project: PulumiProject) -> str:
        said = project.pulumi("preview", fails=True)
        assert "Traceback" not in said
        return said

    def test_a_mistyped_key_is_named(self, project: PulumiProject) -> None:
        project.configure(flow("orders", flow=[]))

        said = self.refused(project)

        assert "stacks/Pulumi.dev.yaml: mirrorstack:flow is not a key that is known" in said
        assert "did you mean `flows`?" in said

    def test_a_topic_that_is_not_on_the_source_is_named(self, project: PulumiProject) -> None:
        project.configure(flow("program-no-such-topic"))

        assert "Cluster east has no topic program-no-such-topic" in self.refused(project)

    def test_a_sandbox_that_was_never_started_is_named(self, project: PulumiProject) -> None:
        clusters = {alias: {"sandbox": "elsewhere"} for alias in ("east", "west")}
        project.configure(flow("orders", clusters=clusters))

        said = self.refused(project)

        assert "there is no sandbox 'elsewhere'" in said
        assert "mirrorstack sandbox up --name elsewhere" in said
