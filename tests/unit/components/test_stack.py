"""A whole stack, from preflight with fake clusters to the resources that it registers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from components.stack import MirrorStack, MirrorStackArgs
from mirrorstack.config.settings import StackSettings
from mirrorstack.planning.preflight import preflight
from mirrorstack.planning.previous_acls import PreviousAcls
from mirrorstack.planning.previous_state import PreviousState
from tests.unit.components.declaring import Declared, declare
from tests.unit.planning.fake_clusters import FakeClusters, Held, holding, stack_settings
from tests.unit.planning.strimzi_stack import operated_stack

FLOW = {"from": "east", "to": "west", "topics": ["orders"], "groups": ["billing"]}
PASSWORD = "password-of-"


def stack(home: Path, settings: StackSettings | None = None, held: Held | None = None) -> Declared:
    chosen = settings or stack_settings(FLOW)
    clusters = FakeClusters(chosen, held)
    deployment = preflight(chosen, clusters, stack="dev", home=home)
    return declare(lambda: MirrorStack("mirrorstack", MirrorStackArgs(deployment=deployment)))


def test_every_resource_is_below_the_stack_s_component(tmp_path: Path) -> None:
    declared = stack(tmp_path)

    for resource in declared.resources.values():
        if resource.name == "mirrorstack":
            continue
        above = resource
        while above.parent != "mirrorstack":
            above = declared.resources[above.parent]


def test_the_program_writes_nothing_and_registers_the_same_twice(tmp_path: Path) -> None:
    def inputs() -> dict[str, Any]:
        return {name: each.inputs for name, each in stack(tmp_path).resources.items()}

    assert inputs() == inputs()
    assert list(tmp_path.iterdir()) == []


def test_only_the_kafka_providers_hold_passwords_and_as_secrets(tmp_path: Path) -> None:
    declared = stack(tmp_path)

    holders = {name for name, each in declared.resources.items() if PASSWORD in str(each.inputs)}
    assert holders == {"mirrorstack-kafka-east", "mirrorstack-kafka-west"}
    for name in holders:
        assert "saslPassword" in declared.resources[name].secrets
    assert PASSWORD not in str(declared.outputs)


def test_each_cluster_s_topics_and_acls_use_its_own_provider(tmp_path: Path) -> None:
    declared = stack(tmp_path)

    providers = {each.parent: each.provider for each in declared.of_type(":Topic")}
    assert providers["mirrorstack-east-to-west"] == "mirrorstack-kafka-west"
    assert providers["mirrorstack-west-internal"] == "mirrorstack-kafka-west"
    for acl in declared.of_type(":Acl"):
        alias = acl.parent.removeprefix("mirrorstack-").removesuffix("-acls")
        assert acl.provider == f"mirrorstack-kafka-{alias}"


def test_workers_start_after_permissions_and_those_after_topics_and_acls(tmp_path: Path) -> None:
    declared = stack(tmp_path)

    permissions = declared.resources["mirrorstack-west-permissions"].dependencies
    assert {each.name for each in declared.of_type(":Acl")} <= permissions
    assert {each.name for each in declared.of_type(":Topic")} <= permissions
    # A child is registered after its parent, and that after all that it depends on.
    workers = declared.resources["mirrorstack-west-workers"].dependencies
    assert {"mirrorstack-west-permissions", "mirrorstack-east-permissions"} <= workers
    flow = declared.resources["mirrorstack-east-to-west-source"].parent
    assert "mirrorstack-west-workers-1" in declared.resources[flow].dependencies


def test_policies_find_the_settings_on_the_component(tmp_path: Path) -> None:
    settings = stack_settings(FLOW)
    declared = stack(tmp_path, settings)

    assert declared.resources["mirrorstack"].inputs["settings"] == settings.declared()
    assert declared.outputs["mirrorstack"]["settings"] == settings.declared()


def test_the_outputs_name_the_configs_that_mirrormaker_syncs(tmp_path: Path) -> None:
    settings = stack_settings({**FLOW, "sync-configs": ["retention.ms"]})
    flows = stack(tmp_path, settings).outputs["mirrorstack"]["flows"]

    assert flows["east-to-west"]["synced-configs"] == ["retention.ms"]


def test_the_outputs_name_topics_connectors_acls_and_connect(tmp_path: Path) -> None:
    outputs = stack(tmp_path).outputs["mirrorstack"]

    assert outputs["flows"]["east-to-west"]["topics"] == ["east.orders"]
    assert outputs["flows"]["east-to-west"]["connectors"] == [
        "east-to-west-source",
        "east-to-west-checkpoint",
        "east-to-west-heartbeat",
    ]
    assert "Read on Topic orders" in outputs["acls"]["east"]["mirror"]
    assert outputs["connect"]["west"].startswith("http://127.0.0.1:")
    assert "mirrorstack-west-offsets" in outputs["internal_topics"]["west"]


def test_a_cluster_that_is_not_administered_gets_no_provider_and_no_acls(tmp_path: Path) -> None:
    clusters = {"east": {"sandbox": "default", "administer": False}, "west": {"sandbox": "default"}}
    declared = stack(tmp_path, stack_settings(FLOW, clusters=clusters))

    assert "mirrorstack-kafka-east" not in declared.resources
    assert not [each for each in declared.of_type(":Acl") if "east-acls" in each.parent]
    assert "mirrorstack-east-permissions" in declared.resources, "permissions are checked anyway"
    assert declared.outputs["mirrorstack"]["acls"]["east"]["commands"]


@pytest.mark.parametrize("wanted", [True, False])
def test_the_smoke_test_is_last_and_only_if_declared(tmp_path: Path, wanted: bool) -> None:
    more: dict[str, Any] = {"smoke-test": {}} if wanted else {}
    declared = stack(tmp_path, stack_settings(FLOW, **more))

    tests = declared.of_type(":SmokeTest")
    assert len(tests) == wanted
    for test in tests:
        assert {each.name for each in declared.of_type(":Connector")} <= test.dependencies
        assert PASSWORD not in str(test.inputs)
        assert test.inputs["triggers"] == {"east-to-west": ["orders"]}


def test_existing_topics_are_imported_and_kept(tmp_path: Path) -> None:
    held = Held({"east": holding("orders"), "west": holding("east.orders")})
    kept = stack(tmp_path, held=held).resources["mirrorstack-east-to-west-east.orders"].request
    deleted = (
        stack(tmp_path, stack_settings(FLOW, **{"delete-topics": True}))
        .resources["mirrorstack-east-to-west-east.orders"]
        .request
    )

    assert (kept.importId, kept.retainOnDelete) == ("east.orders", True)
    assert (deleted.importId, deleted.retainOnDelete) == ("", False)


def test_acls_wait_for_the_record_that_lists_them(tmp_path: Path) -> None:
    declared = stack(tmp_path)

    record = declared.resources["mirrorstack-deployment-record"]
    # A child is registered after its parent, and that after all that it depends on.
    assert record.name in declared.resources["mirrorstack-west-acls"].dependencies
    labels = record.inputs["acls"]["west"]["acls"]
    assert {each.name for each in declared.of_type(":Acl") if "west-acls" in each.parent} == {
        f"mirrorstack-west-acls-{label}" for label in labels
    }


def test_the_next_deployment_finds_the_acls_in_the_state(tmp_path: Path) -> None:
    declared = stack(tmp_path)
    state = {
        f"urn::{each.name}": {
            "type": each.type,
            "outputs": declared.outputs.get(each.name, each.inputs),
        }
        for each in declared.resources.values()
    }

    previous = PreviousAcls.of(state)

    assert len(previous.deployed) == len(declared.of_type(":Acl"))
    assert {each.acl.cluster for each in previous.deployed} == {"east", "west"}
    assert {each.principal for each in previous.deployed} == {"mirror"}


def test_policies_find_who_manages_the_acls_on_the_component(tmp_path: Path) -> None:
    held = Held(without_authorizer=frozenset({"west"}))

    declared = stack(tmp_path, held=held)

    assert declared.resources["mirrorstack"].inputs["acl_modes"] == {
        "east": "managed",
        "west": "none",
    }
    assert "mirrorstack-west-acls" not in declared.resources
    assert "mirrorstack-west-permissions" in declared.resources, "permissions are checked anyway"


@pytest.mark.parametrize(
    ("acls", "retained"),
    [
        ("managed", set()),
        ("shared", {"heartbeats", "mm2-offset-syncs.east.internal", "east.checkpoints.internal"}),
    ],
)
def test_topics_that_another_stack_may_use_are_not_deleted(
    tmp_path: Path, acls: str, retained: set[str]
) -> None:
    clusters = {alias: {"sandbox": "default", "acls": acls} for alias in ("east", "west")}
    settings = stack_settings(FLOW, clusters=clusters, **{"delete-topics": True})

    found = {
        each.inputs["name"]
        for each in stack(tmp_path, settings).of_type(":Topic")
        if each.request.retainOnDelete
    }

    assert found == retained


def test_operators_create_topics_and_acls_on_a_cluster_of_strimzi_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = operated_stack(tmp_path, monkeypatch)

    declared = declare(lambda: MirrorStack("mirrorstack", MirrorStackArgs(deployment=deployment)))

    on_target = {each.parent for each in declared.of_type(":KafkaTopic")}
    assert on_target == {"mirrorstack-east-to-west", "mirrorstack-west-internal"}
    assert declared.of_type(":Topic") == []
    assert {each.provider for each in declared.of_type(":KafkaTopic")} == {
        "mirrorstack-west-kubernetes"
    }
    assert "mirrorstack-west-acls" not in declared.resources
    assert "mirrorstack-east-acls" in declared.resources
    (user,) = declared.of_type(":KafkaUserPatch")
    assert user.provider == "mirrorstack-west-kubernetes"
    readiness = declared.resources["mirrorstack-west-operators-readiness"]
    assert {each.name for each in declared.of_type(":KafkaTopic")} <= readiness.dependencies
    assert readiness.name in declared.resources["mirrorstack-west-permissions"].dependencies
    # A child is registered after its parent, and that after all that it depends on.
    operators = declared.resources["mirrorstack-west-operators"]
    assert "mirrorstack-deployment-record" in operators.dependencies


def test_the_next_deployment_finds_the_cluster_of_strimzi_s_in_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = operated_stack(tmp_path, monkeypatch)

    declared = declare(lambda: MirrorStack("mirrorstack", MirrorStackArgs(deployment=deployment)))

    name = "mirrorstack-west-operators"
    component = {"type": declared.resources[name].type, "outputs": declared.outputs[name]}
    previous = PreviousState.of({"urn": component})
    assert previous.strimzi == previous.kafka_users == {"west"}
