"""Workers that Strimzi's operator runs: what is declared, and where the secrets are."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi.runtime import rpc, set_all_config

from components.platforms.strimzi_workers import strimzi_workers
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.findings import UserError
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import ConnectorConfig, ConnectorKind
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.deployment import FlowDeployment, WorkerDeployment
from mirrorstack.planning.policy_jars import PolicyJar
from mirrorstack.runtimes.strimzi import StrimziRuntime
from tests.unit.components.declaring import Declared, Registration, declare
from tests.unit.kubernetes.strimzi_examples import wrong_fields

NAME = "mirrorstack-dr-west"


@pytest.fixture(autouse=True)
def stack_config() -> None:
    passwords(east='hun"ter2')


def passwords(**by_alias: str) -> None:
    config = {f"mirrorstack:{alias}-mirror-password": each for alias, each in by_alias.items()}
    set_all_config(config, [])


def connector(kind: ConnectorKind) -> ConnectorConfig:
    name = f"east-to-west-{kind}"
    config = {"name": name, "connector.class": kind.java_class, "topics": "orders"}
    return ConnectorConfig(name, kind, config)


def access(alias: str) -> ClientAccess:
    return ClientAccess(
        alias=alias,
        bootstrap_servers=f"{alias}:9093",
        principal="mirror",
        password="a reference",
        ca_certificates="a certificate",
    )


def declared(*, version: str = "v1", jars: tuple[PolicyJar, ...] = (), **strimzi: Any) -> Declared:
    settings = WorkerSettings.model_validate(
        {
            "runtime": "strimzi",
            "count": 2,
            "strimzi": {"namespace": "kafka", "api-version": version, **strimzi},
        }
    )
    runtime = StrimziRuntime("dr", Path("/home"))
    flow = FlowDeployment(
        name="east-to-west",
        source="east",
        target="west",
        state="running",
        connectors=tuple(map(connector, ConnectorKind)),
        offsets=OffsetsLocation("mine-offsets", "east->west.MirrorSourceConnector"),
        tasks=2,
        target_topics=(),
    )
    workers = WorkerDeployment(
        group=WorkerGroup(
            "west",
            "mine",
            True,
            naming=ConnectorNaming.STRIMZI,
            separate_heartbeats=settings.has_separate_heartbeats,
        ),
        settings=settings,
        placement=runtime.place_workers("west", settings, None),
        configs=({"group.id": "mine", "exactly.once.source.support": "enabled"},),
        heap_mb=704,
        passwords={"east": PasswordReference(config_key="east-mirror-password")},
        jars=jars,
        flows=(flow,),
        clusters={alias: access(alias) for alias in ("west", "east")},
        password_fingerprint="fingerprint",
    )
    return declare(lambda: strimzi_workers("workers", workers, pulumi.ResourceOptions()))


def one(stack: Declared, kind: str) -> Registration:
    (found,) = stack.of_type(f":{kind}")
    return found


@pytest.mark.parametrize("version", ["v1", "v1beta2"])
def test_what_is_declared_is_valid_for_the_api_of_the_operator(version: str) -> None:
    passwords(east="hunter2")
    stack = declared(version=version)

    operated = [each.inputs for each in stack.resources.values() if ":kafka.strimzi" in each.type]
    assert len(operated) == (3 if version == "v1" else 1)
    for manifest in operated:
        assert manifest["apiVersion"] == f"kafka.strimzi.io/{version}"
        assert wrong_fields(manifest) == []


def test_workers_join_the_connect_group_of_the_stack() -> None:
    stack = declared()

    spec = one(stack, "KafkaMirrorMaker2").inputs["spec"]
    assert spec["replicas"] == 2
    assert spec["target"]["groupId"] == "mine"
    assert spec["target"]["authentication"]["type"] == "scram-sha-512"
    assert spec["target"]["config"] == {"exactly.once.source.support": "enabled"}
    assert one(stack, "KafkaConnect").inputs["spec"]["groupId"] == "mine-heartbeats"


def test_the_wait_comes_after_the_resources_of_the_operator() -> None:
    stack = declared()

    readiness = one(stack, "StrimziReadiness")
    mirror_maker, connect = one(stack, "KafkaMirrorMaker2"), one(stack, "KafkaConnect")
    assert {mirror_maker.name, connect.name} <= readiness.dependencies
    assert {each.name for each in stack.of_type(":Secret")} <= mirror_maker.dependencies
    assert readiness.inputs["objects"] == [
        f"v1/KafkaMirrorMaker2/{NAME}",
        f"v1/KafkaConnect/{NAME}-heartbeats",
        f"v1/KafkaConnector/{NAME}-heartbeats-east",
    ]


def test_passwords_are_escaped_for_jaas_and_only_in_a_secret() -> None:
    stack = declared()

    by_name = {each.inputs["metadata"]["name"]: each for each in stack.of_type(":Secret")}
    data = by_name[f"{NAME}-passwords"].inputs["data"]
    assert base64.b64decode(data["east"]).decode() == 'hun\\"ter2'
    others = [each.inputs for each in stack.resources.values() if not each.type.endswith(":Secret")]
    shown = json.dumps(others)
    assert "ter2" not in shown
    assert data["east"] not in shown


def test_secrets_are_encrypted_in_the_state() -> None:
    passwords_secret, _ = declared().of_type(":Secret")

    sent = rpc.deserialize_properties(passwords_secret.request.object, keep_unknowns=True)

    plain = json.dumps(sent["data"], default=lambda _secret: "[secret]")
    assert "data" in passwords_secret.secrets or set(json.loads(plain).values()) == {"[secret]"}


def test_an_existing_secret_is_used_and_not_created() -> None:
    stack = declared(secret="theirs")

    names = [each.inputs["metadata"]["name"] for each in stack.of_type(":Secret")]
    assert names == [f"{NAME}-certificates"]
    assert '"secretName": "theirs"' in json.dumps(one(stack, "KafkaMirrorMaker2").inputs)


def test_another_version_of_the_api_is_the_same_resource() -> None:
    """Otherwise it would be created, and then deleted as the old one."""
    (alias,) = one(declared(), "KafkaMirrorMaker2").request.aliases

    assert alias.spec.type == "kubernetes:kafka.strimzi.io/v1beta2:KafkaMirrorMaker2"


def test_an_old_operator_cannot_read_every_password() -> None:
    with pytest.raises(UserError, match="a quote or a backslash"):
        declared(version="v1beta2")

    passwords(east="hunter2")
    declared(version="v1beta2")


def test_jars_of_replication_policies_need_an_image_that_has_them(tmp_path: Path) -> None:
    (tmp_path / "policy.jar").write_bytes(b"PK")
    jars = (PolicyJar.read(tmp_path / "policy.jar"),)

    with pytest.raises(UserError, match="need an image"):
        declared(jars=jars)

    stack = declared(jars=jars, image="registry.example/kafka:1")
    assert one(stack, "KafkaMirrorMaker2").inputs["spec"]["image"] == "registry.example/kafka:1"
