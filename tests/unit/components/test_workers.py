"""Workers on any runtime: a second one needs its own two parts and no other change."""

from __future__ import annotations

from pathlib import Path

import pulumi
import pytest

from components import workers
from components.stack import MirrorStack, MirrorStackArgs
from components.workers import WORKER_FACTORIES, ConnectWorkers, ConnectWorkersArgs
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.planning.preflight import preflight
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement
from mirrorstack.runtimes.registry import RUNTIMES
from policies.resources import CONNECT_WORKERS, DeployedWorker
from tests.unit.components.declaring import Declared, declare
from tests.unit.connect.scripted import Script
from tests.unit.planning.fake_clusters import FakeClusters, Held, stack_settings


class ElsewhereRuntime(Runtime):
    """Somebody else runs the workers; their address is a fixed one."""

    def place_workers(
        self, target: str, settings: WorkerSettings, _deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        urls = tuple(f"https://{target}-{n}.example:8083" for n in range(settings.count))
        return WorkerPlacement(rest_urls=urls)

    def secret_reference(self, _target: str, alias: str) -> str:
        return f"${{vault:{self.stack}:{alias}}}"

    def worker_properties(self, _rest_url: str) -> dict[str, str]:
        return {
            "listeners": "https://0.0.0.0:8083",
            "config.providers": "vault",
            "config.providers.vault.class": "com.example.VaultConfigProvider",
        }


class ElsewhereWorker(pulumi.ComponentResource):
    def __init__(self, name: str, opts: pulumi.ResourceOptions) -> None:
        super().__init__("test:index:Worker", name, None, opts)


def elsewhere_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    return [
        ElsewhereWorker(f"{name}-{number}", opts)
        for number, _ in enumerate(workers.placement.rest_urls)
    ]


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> StackSettings:
    """A stack whose workers run elsewhere."""
    monkeypatch.setitem(RUNTIMES, "elsewhere", ElsewhereRuntime)
    monkeypatch.setitem(workers.WORKER_FACTORIES, "elsewhere", elsewhere_workers)
    # The stack file's schema lists the runtimes that are there.
    chosen = WorkerSettings(count=2).model_copy(update={"runtime": "elsewhere"})
    return stack_settings().model_copy(update={"workers": {"west": chosen}})


def declared_stack(settings: StackSettings, home: Path) -> Declared:
    deployment = preflight(settings, FakeClusters(settings), stack="dev", home=home)
    return declare(lambda: MirrorStack("mirrorstack", MirrorStackArgs(deployment=deployment)))


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # it is no `RuntimeName`
class TestSecondRuntime:
    def test_its_workers_are_declared_below_the_same_component(
        self, settings: StackSettings, tmp_path: Path
    ) -> None:
        declared = declared_stack(settings, tmp_path)

        assert {each.parent for each in declared.of_type("test:index:Worker")} == {
            "mirrorstack-west-workers"
        }
        assert declared.of_type(":LocalWorker") == []

    def test_connectors_use_its_rest_api_and_its_secret_references(
        self, settings: StackSettings, tmp_path: Path
    ) -> None:
        declared = declared_stack(settings, tmp_path)

        for connector in declared.of_type(":Connector"):
            assert connector.inputs["rest_url"] == "https://west-0.example:8083"
            assert not connector.inputs.get("credentials_file")
        source = declared.resources["mirrorstack-east-to-west-source"].inputs["config"]
        assert "${vault:dev:east}" in source["source.cluster.sasl.jaas.config"]

    def test_policies_see_its_workers(self, settings: StackSettings, tmp_path: Path) -> None:
        component = declared_stack(settings, tmp_path).resources["mirrorstack-west-workers"]

        seen = list(DeployedWorker.each(component.name, component.inputs))

        assert component.type == CONNECT_WORKERS
        assert [worker.rest_url for worker in seen] == [
            "https://west-0.example:8083",
            "https://west-1.example:8083",
        ]
        assert {worker.config["group.id"] for worker in seen} == {"mirrorstack-west"}

    def test_its_workers_have_its_properties_and_none_of_another_runtime(
        self, settings: StackSettings, tmp_path: Path
    ) -> None:
        deployment = preflight(settings, FakeClusters(settings), stack="dev", home=tmp_path)
        (config, _) = deployment.workers["west"].configs

        assert config["listeners"] == "https://0.0.0.0:8083"
        assert config["config.providers"] == "vault"
        assert "${vault:dev:west}" in config["sasl.jaas.config"]
        assert "rest.extension.classes" not in config
        assert not any("file" in key for key in config)

    @pytest.mark.usefixtures("clock")
    def test_its_workers_are_known_from_the_state(
        self, settings: StackSettings, tmp_path: Path
    ) -> None:
        declared = declared_stack(settings, tmp_path)
        component = declared.resources["mirrorstack-west-workers"]
        outputs = declared.outputs["mirrorstack-west-workers"]
        state = PreviousState.of({"urn": {"type": component.type, "outputs": outputs}})
        held = Held(active_groups=frozenset({"mirrorstack-west"}))

        clusters = FakeClusters(settings, held)
        assert preflight(settings, clusters, stack="dev", home=tmp_path, previous=state)


class TestExistingWorkers:
    """Somebody else runs the workers, so nothing of theirs is declared."""

    @pytest.fixture
    def declared(self, tmp_path: Path, connect: Script) -> Declared:
        connect["GET /"] = (200, {"version": "4.3.1", "kafka_cluster_id": ""})
        connect["GET /connector-plugins"] = (200, [{"class": k.java_class} for k in ConnectorKind])
        connect["GET /connectors?expand=status"] = (200, {})
        plugin = f"/connector-plugins/{ConnectorKind.HEARTBEAT.java_class}"
        connect[f"PUT {plugin}/config/validate"] = (200, {"configs": []})
        existing = {
            "runtime": "existing",
            "rest-url": connect.url,
            "group": "connect-dr",
            "secret-reference": "${vault:{alias}}",
            "rest-security": {"authentication": "bearer"},
        }
        settings = stack_settings(workers={"west": existing})
        clusters = FakeClusters(settings, Held(active_groups=frozenset({"connect-dr"})))
        deployment = preflight(
            settings, clusters, stack="dev", home=tmp_path, secret=lambda key: f"value-of-{key}"
        )
        return declare(lambda: MirrorStack("mirrorstack", MirrorStackArgs(deployment=deployment)))

    def test_there_are_connectors_and_no_workers(self, declared: Declared) -> None:
        source = declared.resources["mirrorstack-east-to-west-source"].inputs

        assert "${vault:east}" in source["config"]["source.cluster.sasl.jaas.config"]
        assert source["token_key"] == "west-connect-token"
        assert "configs_topic" not in source["target"]
        assert declared.of_type(":LocalWorker") == []
        assert declared.resources["mirrorstack-west-workers"].inputs["workers"] == []

    def test_their_internal_topics_and_acls_are_not_the_stack_s(self, declared: Declared) -> None:
        topics = {each.inputs["name"] for each in declared.of_type("kafka:index/topic:Topic")}
        acls = {each.inputs["aclResourceName"] for each in declared.of_type("kafka:index/acl:Acl")}

        assert "mm2-offset-syncs.east.internal" in topics
        assert not any(name.startswith("connect-dr") for name in topics | acls)

    def test_no_resource_holds_the_token(self, declared: Declared) -> None:
        held = [each.inputs for each in declared.resources.values()]

        assert "value-of-" not in repr(held)


def test_every_runtime_has_both_parts() -> None:
    assert WORKER_FACTORIES.keys() == RUNTIMES.keys()


def test_the_outputs_are_what_the_next_deployment_reads() -> None:
    deployment = WorkerDeployment(
        group=WorkerGroup("west", "mine", exactly_once=False),
        settings=WorkerSettings(),
        placement=WorkerPlacement(
            rest_urls=("http://127.0.0.1:1", "http://127.0.0.1:2"),
            login=RestLogin(credentials_file="/login.json"),
            options={"directory": "/workers/dev/west"},
        ),
        configs=({"group.id": "mine"}, {"group.id": "mine"}),
        heap_mb=512,
    )
    declared = declare(lambda: ConnectWorkers("workers", ConnectWorkersArgs(workers=deployment)))

    assert declared.outputs["workers"] == {
        "workers": [
            {"config": {"group.id": "mine"}, "rest_url": "http://127.0.0.1:1"},
            {"config": {"group.id": "mine"}, "rest_url": "http://127.0.0.1:2"},
        ],
        "target": "west",
        "group": "mine",
        "naming": "stack",
        "rest_url": "http://127.0.0.1:1",
        "runtime": "local-process",
        "credentials_file": "/login.json",
    }
    assert [each.name for each in declared.of_type(":LocalWorker")] == ["workers-1", "workers-2"]
